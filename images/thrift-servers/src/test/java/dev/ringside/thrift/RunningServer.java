package dev.ringside.thrift;

import dev.ringside.thrift.internal.loop.Connection;
import dev.ringside.thrift.internal.metrics.CloseReason;
import dev.ringside.thrift.internal.metrics.Metrics;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.SelectionKey;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.server.TServerEventHandler;
import org.apache.thrift.transport.TNonblockingServerSocket;
import org.apache.thrift.transport.TNonblockingServerTransport;

/** Runs a disruptor server for a test on a free port. */
final class RunningServer implements AutoCloseable {
  static final long STOP_TIMEOUT_MILLIS = 20_000;

  final int port;
  final TDisruptorServer server;
  private final Wiring wiring;
  private final Thread thread;
  private volatile Throwable failure;
  private volatile boolean interrupted;

  RunningServer(VersionedProcessor service) throws Exception {
    this(service, args -> {});
  }

  RunningServer(VersionedProcessor service, Consumer<TDisruptorServer.Args> options)
      throws Exception {
    this(service, options, null);
  }

  RunningServer(
      VersionedProcessor service,
      Consumer<TDisruptorServer.Args> options,
      TServerEventHandler events)
      throws Exception {
    this(Wiring.TCP, service, options, events);
  }

  RunningServer(Wiring wiring, VersionedProcessor service) throws Exception {
    this(wiring, service, args -> {});
  }

  RunningServer(Wiring wiring, VersionedProcessor service, Consumer<TDisruptorServer.Args> options)
      throws Exception {
    this(wiring, service, options, null);
  }

  RunningServer(
      Wiring wiring,
      VersionedProcessor service,
      Consumer<TDisruptorServer.Args> options,
      TServerEventHandler events)
      throws Exception {
    this(freePort(), wiring, service, options, events);
  }

  private RunningServer(
      int port,
      Wiring wiring,
      VersionedProcessor service,
      Consumer<TDisruptorServer.Args> options,
      TServerEventHandler events)
      throws Exception {
    this(
        new TNonblockingServerSocket(
            new TNonblockingServerSocket.NonblockingAbstractServerSocketArgs()
                .bindAddr(new InetSocketAddress("127.0.0.1", port))
                .backlog(4096)),
        port,
        wiring,
        service,
        options,
        events);
  }

  /** Starts a server on a transport without a port. */
  RunningServer(
      TNonblockingServerTransport transport,
      VersionedProcessor service,
      Consumer<TDisruptorServer.Args> options)
      throws Exception {
    this(transport, 0, Wiring.TCP, service, options, null);
  }

  /** Starts a server on a transport that listens on a port. */
  RunningServer(
      int port,
      TNonblockingServerTransport transport,
      VersionedProcessor service,
      Consumer<TDisruptorServer.Args> options)
      throws Exception {
    this(transport, port, Wiring.TCP, service, options, null);
  }

  private RunningServer(
      TNonblockingServerTransport transport,
      int port,
      Wiring wiring,
      VersionedProcessor service,
      Consumer<TDisruptorServer.Args> options,
      TServerEventHandler events)
      throws Exception {
    this.port = port;
    this.wiring = wiring;
    TDisruptorServer.Args args =
        new TDisruptorServer.Args(transport)
            .name("test-" + port)
            .selectors(2)
            .maxWorkers(8)
            .stopTimeout(STOP_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)
            .processor(service);
    wiring.configure(args);
    options.accept(args);
    server = new TDisruptorServer(args);
    if (events != null) {
      server.setServerEventHandler(events);
    }
    thread =
        new Thread(
            () -> {
              try {
                server.serve();
              } catch (Throwable e) {
                failure = e;
              }
              interrupted = Thread.interrupted();
            },
            "serve");
    thread.start();
    await("the server serves", () -> server.isServing() || failure != null);
  }

  static int freePort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  Client connect() throws Exception {
    return wiring.connect(port);
  }

  /** Connects over TCP from a local port; 0 is any. */
  Client connectFrom(int localPort) throws IOException {
    Socket socket = new Socket();
    socket.setReuseAddress(true);
    socket.bind(new InetSocketAddress("127.0.0.1", localPort));
    return new Client(socket, port, new TBinaryProtocol.Factory());
  }

  Client connectDeaf() throws Exception {
    return wiring.connectDeaf(port);
  }

  /**
   * Connects and calls a method. Repeats that as long as the server closes the connection: on a
   * busy machine a TLS handshake may take longer than the server allows.
   */
  Client connectAndCall(String method) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (true) {
      Client client = connect();
      try {
        client.call(method, new byte[1]);
        return client;
      } catch (IOException e) {
        client.close();
        if (System.nanoTime() - deadline > 0) {
          throw e;
        }
      }
    }
  }

  /** Returns the server's side of a client's connection. No other may begin or end meanwhile. */
  Connection connection(Client client) {
    for (int i = 0; i < server.core().loops.size(); i++) {
      for (SelectionKey key : server.core().loops.get(i).selector.keys()) {
        Connection connection = (Connection) key.attachment();
        InetSocketAddress address = (InetSocketAddress) connection.client;
        if (address.getPort() == client.socket().getLocalPort()) {
          return connection;
        }
      }
    }
    throw new AssertionError("the server does not have the connection");
  }

  Metrics metrics() {
    return server.core().run.metrics;
  }

  /** Returns how many connections have ended for that reason. */
  long closed(CloseReason reason) {
    return metrics().closings.count(reason);
  }

  long handedOff() {
    return server.core().run.metrics.handedOffRequests.sum();
  }

  long inline() {
    return server.core().run.metrics.inlineRequests.sum();
  }

  /** Waits for a condition, for at most 30 s. */
  static void await(String what, BooleanSupplier condition) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("waited 30 s in vain until " + what);
      }
      TimeUnit.MICROSECONDS.sleep(200);
    }
  }

  /** Connects again and again until the server accepts no connections. */
  void connectUntilRefused() throws Exception {
    while (true) {
      connect().close();
    }
  }

  /** Interrupts the thread that serves. */
  void interrupt() {
    thread.interrupt();
  }

  /** Reports whether serve() has not returned. */
  boolean isServing() {
    return thread.isAlive();
  }

  /** Reports whether the thread was interrupted when serve() returned. */
  boolean wasInterrupted() {
    return interrupted;
  }

  /** Stops the server and waits for serve() to return. */
  void stop() {
    server.stop();
    awaitEnd();
  }

  void awaitEnd() {
    try {
      thread.join(Duration.ofMillis(STOP_TIMEOUT_MILLIS + 20_000).toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (thread.isAlive()) {
      throw new AssertionError("serve() did not return after stop()");
    }
    if (failure != null) {
      throw new AssertionError("serve() failed", failure);
    }
  }

  @Override
  public void close() {
    stop();
  }
}
