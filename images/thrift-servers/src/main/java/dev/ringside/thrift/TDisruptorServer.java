package dev.ringside.thrift;

import dev.ringside.thrift.internal.loop.Factories;
import dev.ringside.thrift.internal.loop.Options;
import dev.ringside.thrift.internal.loop.ServerCore;
import dev.ringside.thrift.internal.wire.Libthrift;
import dev.ringside.thrift.internal.work.ServerThread;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.apache.thrift.server.TServer;
import org.apache.thrift.transport.TNonblockingServerSocket;
import org.apache.thrift.transport.TNonblockingServerTransport;
import org.apache.thrift.transport.TTransportException;
import org.jspecify.annotations.Nullable;

/**
 * Serves Thrift requests half-sync/half-async on the LMAX Disruptor, and adapts to its methods.
 *
 * <p>Few threads watch all connections. A request of a method that returns at once runs on the
 * thread that read it. A request of a method that blocks goes through a ring buffer to a worker,
 * which also answers it. The server learns by observation which method is which. A request that
 * blocks unexpectedly costs its thread the leadership of the event loop: another thread takes over,
 * so that no connection waits for a request of another.
 *
 * <p>Clients must use framed transport, with any protocol. Requests of one connection run one after
 * the other and are answered in order. A client may send many before it reads the first reply.
 *
 * <p>Threads: handlers run on threads of {@link Args#threadFactory}. Arguments of a handler never
 * share memory with the server.
 */
public final class TDisruptorServer extends TServer implements AutoCloseable {
  /** Holds the server's arguments. */
  public static final class Args extends DisruptorArgs<Args> {
    /**
     * Creates arguments for a server on a transport, by default framed and with binary protocol.
     */
    public Args(TNonblockingServerTransport transport) {
      super(transport);
    }

    /**
     * Creates arguments for a server on an address, by default framed and with binary protocol.
     *
     * @param address with port 0 for any free port; see {@link TDisruptorServer#localAddress}
     * @param backlog how many connections may wait to be accepted. Libthrift's default is 50, the
     *     kernel's limit often 4096
     * @throws TTransportException if the address cannot be used
     */
    public Args(InetSocketAddress address, int backlog) throws TTransportException {
      this(
          new TNonblockingServerSocket(
              new TNonblockingServerSocket.NonblockingAbstractServerSocketArgs()
                  .bindAddr(address)
                  .backlog(backlog)));
    }
  }

  private final ServerCore core;

  /**
   * Creates a server that does not serve yet.
   *
   * @throws IllegalArgumentException if arguments contradict each other: virtual threads as {@link
   *     Args#threadFactory}, an asynchronous processor; or if the system has no such socket option
   */
  public TDisruptorServer(Args args) {
    super(args);
    Options options = args.options.copy();
    if (options.threadFactory == null) {
      options.threadFactory = ServerThread.factory(options.name);
    }
    if (Libthrift.isPlainFraming(inputTransportFactory_)) {
      options.maxFrameBytes =
          Math.min(options.maxFrameBytes, Libthrift.frameLimit(inputTransportFactory_));
    }
    refuseVirtualThreads(options);
    trySocketOptions(options);
    options.settle();
    inputProtocolFactory_ = Libthrift.limited(inputProtocolFactory_, options.maxFrameBytes);
    Factories factories =
        new Factories(
            inputTransportFactory_,
            outputTransportFactory_,
            inputProtocolFactory_,
            outputProtocolFactory_,
            processorFactory_,
            this::getEventHandler);
    core = new ServerCore(options, factories, (TNonblockingServerTransport) serverTransport_);
  }

  private static void refuseVirtualThreads(Options options) {
    if (ServerThread.areVirtual(options.threadFactory)) {
      throw new IllegalArgumentException(
          "server "
              + options.name
              + ": its threadFactory makes virtual threads, of which nobody can tell the CPU time"
              + " and the state in the kernel, from which this server learns what its methods do:"
              + " give it one that makes platform threads");
    }
  }

  private static void trySocketOptions(Options options) {
    try (SocketChannel channel = SocketChannel.open()) {
      options.setOn(channel);
    } catch (IOException | RuntimeException e) {
      throw new IllegalArgumentException(
          "server " + options.name + ": a socket option cannot be set: " + e.getMessage(), e);
    }
  }

  /**
   * Serves until {@link #stop()}, and then until running requests have been answered, at most for
   * the stop timeout. An interrupt of the calling thread does the same as {@link #stop()}.
   *
   * @throws IllegalStateException if the server cannot start or cannot continue, or if this method
   *     was called before
   */
  @Override
  public void serve() {
    core.serve();
  }

  /**
   * Serves in a thread of its own, which keeps the process alive, and returns when clients can
   * connect.
   *
   * @throws IllegalStateException as {@link #serve()}
   */
  public void start() {
    core.start();
  }

  /**
   * Stops the server, and waits until running requests have been answered, at most for the stop
   * timeout. Does not wait if the calling thread is interrupted.
   */
  @Override
  public void close() {
    core.close();
  }

  /**
   * Returns the address on which the server listens, with the port that was chosen if it was given
   * none; null before it listens, or if its transport does not show it.
   */
  @SuppressWarnings("exports") // Modules of users need not require the module of @Nullable.
  public @Nullable SocketAddress localAddress() {
    return core.address();
  }

  @Override
  public boolean isServing() {
    return core.isServing();
  }

  /**
   * Asks the server to stop: it accepts no new connection and reads no new request. Returns at
   * once; {@link #serve()} returns when running requests have ended. May be called from any thread,
   * any number of times.
   */
  @Override
  public void stop() {
    core.stop();
  }

  /**
   * Closes all connections without losing requests, in preparation for {@link #stop()}. From now on
   * the server is not {@link #isReady} and accepts no new connections. Requests that are under way,
   * and those that arrive on open connections, are answered. A connection is closed when it has
   * been silent for 100 ms with nothing under way, and at the latest when the time is up.
   *
   * <p>Returns when that is done and, before the time is up, when the hooks for the end of
   * connections have run. The drain continues if the caller is interrupted.
   *
   * <p>A client sees the end of its connection as if the server had closed an idle one. Thrift
   * cannot announce it: a request that is sent at that very moment is neither run nor answered.
   *
   * <p>Threads: any thread that runs no request may call this method, any number of times; the
   * earliest deadline counts. A server drained before {@link #serve()} never listens. A drain does
   * not stop the server: {@link #serve()} returns after {@link #stop()}, which also ends a drain. A
   * drain costs one thread, and per event loop a pass over its connections every 10 ms.
   *
   * @param timeout how long connections may take, not negative
   * @return how many connections were cut off with a request, or a part of one, that was not
   *     answered; 0 if everything was answered
   * @throws IllegalArgumentException if the timeout is negative
   */
  public int drain(long timeout, TimeUnit unit) throws InterruptedException {
    return core.drain(timeout, unit);
  }

  /**
   * Reports whether clients should be sent to this server: it accepts connections, neither {@link
   * #drain} nor {@link #stop} was called, it does not lack threads that serve connections, and it
   * is not saturated. It is saturated when, for a second, no worker has taken the next request
   * because all are stuck, the ring has been full, or connections have waited for memory. For
   * readiness probes, from any thread.
   */
  public boolean isReady() {
    return core.isReady();
  }

  /**
   * Uses another TLS context for connections that are accepted from now on, for example one with
   * certificates that replace expiring ones. Open connections keep theirs. May be called from any
   * thread.
   *
   * @throws IllegalArgumentException if the context is null
   * @throws IllegalStateException if the server was created without TLS
   */
  public void renewTls(SSLContext context) {
    if (core.run.options.sslContext == null) {
      throw new IllegalStateException(
          "server " + core.run.options.name + " has no TLS to renew: make it with Args.tls");
    }
    if (context == null) {
      throw new IllegalArgumentException(
          "the TLS context of server " + core.run.options.name + " is null");
    }
    core.run.wires.use(context);
  }

  /** Returns what is behind this API, for tests. */
  ServerCore core() {
    return core;
  }
}
