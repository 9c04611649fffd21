package dev.ringside.cassandra;

import dev.ringside.server.ServerType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.cassandra.config.EncryptionOptions.ClientEncryptionOptions;
import org.apache.cassandra.thrift.Cassandra;
import org.apache.cassandra.thrift.TServerFactory;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.server.TServer;
import org.apache.thrift.transport.TFramedTransport;
import org.apache.thrift.transport.TSocket;
import org.apache.thrift.transport.TTransport;
import org.apache.thrift.transport.TTransportException;

/** Cassandra's generated processor over a test handler, served by the plugin without Cassandra. */
final class HostedNode implements AutoCloseable {
  static final int MAX_FRAME = 1 << 20;

  final CountingSessions sessions;
  final int port;
  final TServer server;
  private final Thread thread;

  HostedNode(
      String servers, Map<String, String> options, CountingSessions sessions, Cassandra.Iface node)
      throws Exception {
    this(
        servers,
        options,
        sessions,
        node,
        new NodeLimits(4, 64, MAX_FRAME, new ClientEncryptionOptions()),
        0);
  }

  HostedNode(
      String servers,
      Map<String, String> options,
      CountingSessions sessions,
      Cassandra.Iface node,
      NodeLimits limits,
      int nativePort)
      throws Exception {
    this.sessions = sessions;
    this.port = freePort();
    TServerFactory.Args args = args(port, node);
    Settings settings =
        new Settings(
            name -> name.equals("RINGSIDE_SERVERS") ? servers : options.get(name), name -> null);
    server = new RingsideServerFactory(settings, sessions, () -> nativePort).build(args, limits);
    thread = new Thread(server::serve, "test-serve");
    thread.start();
  }

  static HostedNode of(ServerType type, CountingSessions sessions, Cassandra.Iface node)
      throws Exception {
    return new HostedNode(type.id(), Map.of(), sessions, node);
  }

  static TServerFactory.Args args(int port, Cassandra.Iface node) {
    TServerFactory.Args args = new TServerFactory.Args();
    args.addr = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    args.listenBacklog = 1024;
    args.processor = new Cassandra.Processor<>(node);
    args.keepAlive = true;
    args.tProtocolFactory = new TBinaryProtocol.Factory(true, true);
    args.inTransportFactory = new TFramedTransport.Factory(MAX_FRAME);
    args.outTransportFactory = args.inTransportFactory;
    return args;
  }

  /** Returns a handler whose methods return what {@code answer} returns for the method's name. */
  static Cassandra.Iface handler(Function<String, Object> answer) {
    return (Cassandra.Iface)
        Proxy.newProxyInstance(
            HostedNode.class.getClassLoader(),
            new Class<?>[] {Cassandra.Iface.class},
            (proxy, method, arguments) -> {
              try {
                return answer.apply(method.getName());
              } catch (RuntimeException e) {
                throw e.getCause() instanceof InvocationTargetException ? e.getCause() : e;
              }
            });
  }

  static int freePort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /**
   * Returns different free ports. All are kept open until the last is known; otherwise the system
   * could return one twice.
   */
  static List<Integer> freePorts(int count) throws Exception {
    List<ServerSocket> held = new ArrayList<>();
    try {
      List<Integer> ports = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        held.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
        ports.add(held.get(i).getLocalPort());
      }
      return ports;
    } finally {
      for (ServerSocket socket : held) {
        socket.close();
      }
    }
  }

  /** A client; its calls time out after 30 s. */
  static final class Client implements AutoCloseable {
    final TTransport transport;
    final Cassandra.Client calls;

    Client(int port) throws TTransportException {
      transport = new TFramedTransport(new TSocket("127.0.0.1", port, 30_000), MAX_FRAME);
      transport.open();
      calls = new Cassandra.Client(new TBinaryProtocol(transport));
    }

    @Override
    public void close() {
      transport.close();
    }
  }

  Client connect() throws TTransportException {
    return new Client(port);
  }

  void stop() {
    server.stop();
    try {
      thread.join(Duration.ofSeconds(40).toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (thread.isAlive()) {
      throw new AssertionError("serve() did not return after stop()");
    }
  }

  @Override
  public void close() {
    stop();
  }
}
