package dev.ringside.thrift;

import dev.ringside.thrift.internal.wire.Libthrift;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.thrift.server.THsHaServer;
import org.apache.thrift.server.TServer;
import org.apache.thrift.server.TThreadPoolServer;
import org.apache.thrift.server.TThreadedSelectorServer;
import org.apache.thrift.transport.TNonblockingServerSocket;
import org.apache.thrift.transport.TServerSocket;

/**
 * Is one of libthrift's own servers, or this one, on a free port: to compare what their clients see
 * in the same test. All have as many workers and as much memory for requests, as far as they limit
 * them.
 */
enum Peers {
  OURS,
  HSHA,
  SELECTOR,
  POOL;

  private static final int WORKERS = Integer.getInteger("workers", 8);

  /** Is a server that runs. */
  static final class Running implements AutoCloseable {
    final int port;
    private final TServer server;
    private final Thread thread;

    private Running(int port, TServer server) throws InterruptedException {
      this.port = port;
      this.server = server;
      thread = new Thread(server::serve, "peer");
      thread.setDaemon(true);
      thread.start();
      RunningServer.await("the peer serves", server::isServing);
    }

    @Override
    public void close() throws InterruptedException {
      server.stop();
      thread.join(TimeUnit.SECONDS.toMillis(10));
    }
  }

  /**
   * Starts it.
   *
   * @param memory for requests that are received and not run yet, in bytes
   */
  Running start(TestService service, long memory) throws Exception {
    int port = RunningServer.freePort();
    InetSocketAddress address = new InetSocketAddress("127.0.0.1", port);
    switch (this) {
      case OURS:
        return new Running(
            port,
            new TDisruptorServer(
                new TDisruptorServer.Args(new TNonblockingServerSocket(address))
                    .maxWorkers(WORKERS)
                    .maxReadBufferBytes(memory)
                    .stopTimeout(0, TimeUnit.SECONDS)
                    .idleTimeout(Long.getLong("idle.millis", 0), TimeUnit.MILLISECONDS)
                    .stallTimeout(Long.getLong("stall.millis", 30_000), TimeUnit.MILLISECONDS)
                    .processor(service)));
      case HSHA:
        THsHaServer.Args hsha = new THsHaServer.Args(new TNonblockingServerSocket(address));
        hsha.maxReadBufferBytes = memory;
        return new Running(
            port, new THsHaServer(hsha.executorService(workers()).processor(service)));
      case SELECTOR:
        TThreadedSelectorServer.Args selector =
            new TThreadedSelectorServer.Args(new TNonblockingServerSocket(address));
        selector.maxReadBufferBytes = memory;
        return new Running(
            port,
            new TThreadedSelectorServer(selector.executorService(workers()).processor(service)));
      default:
        return pool(service, new TServerSocket(address), port);
    }
  }

  /** Threads that end by themselves, because not every server ends them. */
  private static ExecutorService workers() {
    ThreadPoolExecutor workers =
        new ThreadPoolExecutor(
            WORKERS, WORKERS, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<Runnable>());
    workers.allowCoreThreadTimeOut(true);
    return workers;
  }

  private static Running pool(TestService service, TServerSocket socket, int port)
      throws InterruptedException {
    return new Running(
        port,
        new TThreadPoolServer(
            new TThreadPoolServer.Args(socket)
                .transportFactory(Libthrift.framedTransportFactory())
                .processor(service)));
  }
}
