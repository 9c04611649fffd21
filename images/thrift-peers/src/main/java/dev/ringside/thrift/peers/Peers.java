package dev.ringside.thrift.peers;

import dev.ringside.server.ServerType;
import dev.ringside.thrift.TDisruptorServer;
import java.net.InetSocketAddress;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.thrift.TProcessor;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.server.THsHaServer;
import org.apache.thrift.server.TNonblockingServer;
import org.apache.thrift.server.TServer;
import org.apache.thrift.server.TSimpleServer;
import org.apache.thrift.server.TThreadPoolServer;
import org.apache.thrift.server.TThreadedSelectorServer;
import org.apache.thrift.transport.TNonblockingServerSocket;
import org.apache.thrift.transport.TServerSocket;
import org.apache.thrift.transport.TTransportException;

/**
 * Builds every type of server over a processor, with framed transport and binary protocol. A server
 * that is returned is bound, and answers after {@code serve()} is called.
 */
public final class Peers {
  private Peers() {}

  /**
   * Returns a server of that type, bound to its address.
   *
   * @throws IllegalArgumentException with a message of one line if this artifact does not have the
   *     server, or the options are invalid for it
   * @throws TTransportException if the address cannot be bound
   */
  public static TServer build(
      ServerType type, PeerOptions options, TProcessor processor, InetSocketAddress address)
      throws TTransportException {
    if (options.workers() == 0
        && (type == ServerType.HSHA || type == ServerType.XEDIN || type == ServerType.DISRUPTOR)) {
      throw new IllegalArgumentException("server type '" + type + "' needs at least one worker");
    }
    switch (type) {
      case SIMPLE:
        return new TSimpleServer(blocking(new TServer.Args(bound(address)), processor));
      case THREADPOOL:
        // Its pool has no upper bound, because a connection without a thread would wait until
        // another is closed.
        return new TThreadPoolServer(
            blocking(new TThreadPoolServer.Args(bound(address)), processor));
      case NONBLOCKING:
        return new TNonblockingServer(
            new TNonblockingServer.Args(selectable(address)).processor(processor));
      case HSHA:
        THsHaServer.Args hsha = new THsHaServer.Args(selectable(address)).processor(processor);
        return new THsHaServer(
            options.areDefaults() ? hsha : hsha.executorService(workers(type, options)));
      case THREADEDSELECTOR:
        return new TThreadedSelectorServer(threadedSelector(options, processor, address));
      case DISRUPTOR:
        TDisruptorServer.Args disruptor =
            new TDisruptorServer.Args(selectable(address))
                .name(type + "-" + address.getPort())
                .processor(processor);
        return new TDisruptorServer(
            options.areDefaults()
                ? disruptor
                : disruptor.selectors(options.selectors()).maxWorkers(options.workers()));
      case XEDIN:
        return options.areDefaults()
            ? Published.build(selectable(address), processor)
            : Published.build(
                selectable(address), options.selectors(), workers(type, options), processor);
      default:
        throw new IllegalArgumentException("server type '" + type + "' cannot be built");
    }
  }

  private static TThreadedSelectorServer.Args threadedSelector(
      PeerOptions options, TProcessor processor, InetSocketAddress address)
      throws TTransportException {
    TThreadedSelectorServer.Args args =
        new TThreadedSelectorServer.Args(selectable(address)).processor(processor);
    if (options.areDefaults()) {
      return args;
    }
    args.selectorThreads(options.selectors()).workerThreads(options.workers());
    return options.workers() == 0
        ? args
        : args.executorService(workers(ServerType.THREADEDSELECTOR, options));
  }

  private static <T extends TServer.AbstractServerArgs<T>> T blocking(
      T args, TProcessor processor) {
    return args.transportFactory(Framing.factory())
        .protocolFactory(new TBinaryProtocol.Factory())
        .processor(processor);
  }

  private static TServerSocket bound(InetSocketAddress address) throws TTransportException {
    return new TServerSocket(
        new TServerSocket.ServerSocketTransportArgs()
            .bindAddr(address)
            .backlog(ServerType.BACKLOG));
  }

  private static TNonblockingServerSocket selectable(InetSocketAddress address)
      throws TTransportException {
    return new TNonblockingServerSocket(
        new TNonblockingServerSocket.NonblockingAbstractServerSocketArgs()
            .bindAddr(address)
            .backlog(ServerType.BACKLOG));
  }

  /** Returns a fixed pool with a queue, like those that libthrift creates. */
  private static ThreadPoolExecutor workers(ServerType type, PeerOptions options) {
    return new ThreadPoolExecutor(
        options.workers(),
        options.workers(),
        1,
        TimeUnit.MINUTES,
        new LinkedBlockingQueue<>(),
        threads(type + "-worker-"));
  }

  private static ThreadFactory threads(String prefix) {
    AtomicInteger count = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, prefix + count.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }
}
