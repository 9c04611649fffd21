package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.transport.TTransportException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
@EnabledForJreRange(min = JRE.JAVA_16)
final class UnixServerSocketTest {
  @TempDir Path folder;

  private Path path;

  @BeforeEach
  void setUp() {
    path = folder.resolve("thrift.sock");
  }

  private RunningServer server(Consumer<TDisruptorServer.Args> options) throws Exception {
    TestService service =
        new TestService()
            .on(
                "wait",
                argument -> {
                  LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
                  return argument;
                })
            .on("large", argument -> new byte[8 << 20]);
    return new RunningServer(new UnixServerSocket(path), service, options);
  }

  private RunningServer server() throws Exception {
    return server(args -> {});
  }

  private Client connect() throws Exception {
    return new Client(new UnixClientSocket(path), 0, new TBinaryProtocol.Factory());
  }

  private TDisruptorServer notServing(UnixServerSocket socket) {
    return new TDisruptorServer(
        new TDisruptorServer.Args(socket).name("second").processor(new TestService()));
  }

  /** Returns the error of a server that cannot listen on a path. */
  private String refusal(Path at) {
    TDisruptorServer server = notServing(new UnixServerSocket(at));
    return assertThrows(IllegalStateException.class, server::serve).getMessage();
  }

  @Test
  void shouldServeManyConnections() throws Exception {
    try (RunningServer server = server()) {
      ExecutorService threads = Executors.newFixedThreadPool(8);
      List<Future<?>> calls = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        int thread = i;
        calls.add(threads.submit(() -> callOnManyConnections(thread)));
      }
      for (Future<?> call : calls) {
        call.get();
      }
      threads.shutdown();
      assertTrue(server.inline() > 0);
      assertTrue(server.handedOff() > 0);
      RunningServer.await("all have gone", () -> server.server.connections() == 0);
      assertEquals(8 * 40, server.metrics().closed.sum());
    }
  }

  private Void callOnManyConnections(int thread) throws Exception {
    Random random = new Random(thread);
    List<Client> clients = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      clients.add(connect());
    }
    for (int round = 0; round < 10; round++) {
      for (Client client : clients) {
        byte[] payload = Bytes.random(random, random.nextInt(3000));
        String method = random.nextInt(10) == 0 ? "wait" : "echo";
        assertArrayEquals(payload, client.call(method, payload));
      }
    }
    for (Client client : clients) {
      client.close();
    }
    return null;
  }

  @Test
  void shouldAnswerPipelinedFramesInOrderHoweverTheyAreCut() throws Exception {
    Random random = new Random(7);
    ByteArrayOutputStream frames = new ByteArrayOutputStream();
    List<byte[]> payloads = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      payloads.add(Bytes.random(random, random.nextInt(400)));
      frames.write(Client.frame(i % 50 == 0 ? "wait" : "echo", i, payloads.get(i)));
    }
    byte[] bytes = frames.toByteArray();
    try (RunningServer server = server();
        Client client = connect()) {
      int at = 0;
      while (at < bytes.length) {
        int end = Math.min(bytes.length, at + 1 + random.nextInt(2000));
        client.send(Arrays.copyOfRange(bytes, at, end));
        at = end;
      }
      for (int i = 0; i < payloads.size(); i++) {
        assertArrayEquals(payloads.get(i), client.receive(i % 50 == 0 ? "wait" : "echo", i));
      }
      assertEquals(500, server.inline() + server.handedOff());
    }
  }

  @Test
  void shouldAnswerWhatWasAskedBeforeTheClientEndedItsHalf() throws Exception {
    try (RunningServer server = server();
        Client client = connect()) {
      int first = client.send("echo", Bytes.of("a"));
      int second = client.send("wait", Bytes.of("b"));
      int third = client.send("echo", Bytes.of("c"));
      client.socket().shutdownOutput();
      assertEquals("a", Bytes.text(client.receive("echo", first)));
      assertEquals("b", Bytes.text(client.receive("wait", second)));
      assertEquals("c", Bytes.text(client.receive("echo", third)));
      assertTrue(client.isClosedByServer());
      RunningServer.await("it has gone", () -> server.server.connections() == 0);
    }
  }

  @Test
  void shouldSendALargeReplyToASlowReader() throws Exception {
    try (RunningServer server = server();
        Client client = connect()) {
      int large = client.send("large", new byte[0]);
      int after = client.send("echo", Bytes.of("after"));
      RunningServer.await("the socket is full", () -> server.metrics().bytesWritten.sum() > 10_000);
      assertEquals(8 << 20, client.receive("large", large).length);
      assertEquals("after", Bytes.text(client.receive("echo", after)));
    }
  }

  @Test
  void shouldReplaceTheFileOfADeadServer() throws Exception {
    ServerSocketChannel dead = UnixDomain.sockets().openServer();
    dead.bind(UnixDomain.sockets().address(path));
    dead.close();
    assertTrue(Files.exists(path));
    try (RunningServer server = server();
        Client client = connect()) {
      assertEquals("x", Bytes.text(client.call("echo", Bytes.of("x"))));
      assertTrue(server.server.isReady());
    }
  }

  @Test
  void shouldLeaveALiveServerInPlace() throws Exception {
    try (RunningServer server = server()) {
      assertEquals(
          "server second cannot listen: cannot listen on the Unix domain socket "
              + path
              + ": a server listens there: stop it, or give another path",
          refusal(path));
      try (Client client = connect()) {
        assertEquals("x", Bytes.text(client.call("echo", Bytes.of("x"))));
      }
      assertTrue(server.server.isReady());
    }
  }

  @Test
  void shouldSayWhatKindOfPathItNeeds() {
    Path nowhere = folder.resolve("nowhere").resolve("thrift.sock");
    assertTrue(refusal(nowhere).contains("in a folder that is there"), refusal(nowhere));
    char[] name = new char[200];
    Arrays.fill(name, 'x');
    Path tooLong = folder.resolve(new String(name));
    assertTrue(refusal(tooLong).contains("give a path of some 100 bytes"), refusal(tooLong));
    assertThrows(IllegalArgumentException.class, () -> new UnixServerSocket(null));
    assertThrows(IllegalArgumentException.class, () -> new UnixServerSocket(Paths.get("")));
  }

  @Test
  void shouldRemoveItsFileWhenItStops() throws Exception {
    RunningServer server = server();
    try (Client client = connect()) {
      assertEquals("x", Bytes.text(client.call("echo", Bytes.of("x"))));
      assertTrue(Files.exists(path));
      server.stop();
      assertTrue(client.isClosedByServer());
    }
    assertFalse(Files.exists(path));
    server = server();
    server.stop();
    assertFalse(Files.exists(path));
  }

  @Test
  void shouldRemoveItsFileWhenItIsDrained() throws Exception {
    try (RunningServer server = server();
        Client client = connect()) {
      assertEquals("x", Bytes.text(client.call("echo", Bytes.of("x"))));
      assertEquals(0, server.server.drain(20, TimeUnit.SECONDS));
      assertFalse(Files.exists(path));
      assertTrue(client.isClosedByServer());
    }
  }

  @Test
  void shouldMakeNoFileIfItNeverServes() {
    TDisruptorServer server = notServing(new UnixServerSocket(path));
    assertFalse(Files.exists(path));
    server.stop();
    server.serve();
    assertFalse(Files.exists(path));
  }

  @Test
  void shouldListenOnce() throws Exception {
    UnixServerSocket socket = new UnixServerSocket(path);
    socket.listen();
    assertThrows(TTransportException.class, socket::listen);
    socket.close();
    socket.close();
    assertThrows(TTransportException.class, socket::listen);
    assertFalse(Files.exists(path));
  }

  @Test
  void shouldLetInItsOwnUserOnlyUnlessToldOtherwise() throws Exception {
    UnixServerSocket socket = new UnixServerSocket(path);
    socket.listen();
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
    socket.close();
    UnixServerSocket shared = new UnixServerSocket(path).permissions("rw-rw----");
    shared.listen();
    assertEquals("rw-rw----", PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
    shared.close();
    String refused =
        assertThrows(IllegalArgumentException.class, () -> shared.permissions("660")).getMessage();
    assertTrue(refused.endsWith("are '660': give such as rw-rw----"), refused);
  }

  @Test
  void shouldCutOffWhoHasConnectedTooEarly() throws Exception {
    UnixDomain sockets = UnixDomain.sockets();
    try (ServerSocketChannel server = sockets.openServer();
        SocketChannel early = sockets.openClient();
        SocketChannel later = sockets.openClient()) {
      server.configureBlocking(false);
      server.bind(sockets.address(path));
      early.connect(sockets.address(path));
      UnixServerSocket.cutOffConnected(server);
      assertEquals(-1, early.read(ByteBuffer.allocate(1)));
      later.connect(sockets.address(path));
      try (SocketChannel accepted = server.accept()) {
        assertTrue(accepted.isConnected());
      }
    }
  }

  @Test
  void shouldRefuseTlsAndSayWhy() throws Exception {
    TDisruptorServer.Args args =
        new TDisruptorServer.Args(new UnixServerSocket(path))
            .processor(new TestService())
            .tls(SSLContext.getDefault());
    String refused =
        assertThrows(IllegalArgumentException.class, () -> new TDisruptorServer(args)).getMessage();
    assertTrue(refused.contains("leave out Args.tls, or listen on TCP"), refused);
  }

  @Test
  void shouldKeepToTheLimitOfConnections() throws Exception {
    try (RunningServer server = server(args -> args.maxConnections(1));
        Client first = connect()) {
      assertEquals("x", Bytes.text(first.call("echo", Bytes.of("x"))));
      try (Client second = connect()) {
        assertTrue(second.isClosedByServer());
      }
      assertEquals(1, server.metrics().refused.sum());
    }
  }

  @Test
  void shouldCloseIdleConnectionsIfToldTo() throws Exception {
    try (RunningServer server = server(args -> args.idleTimeout(200, TimeUnit.MILLISECONDS));
        Client idle = connect()) {
      assertEquals("x", Bytes.text(idle.call("echo", Bytes.of("x"))));
      assertTrue(idle.isClosedByServer());
      assertEquals(1, server.metrics().idleClosed.sum());
    }
  }

  @Test
  void shouldTellListenersItsConnectionsApart() throws Exception {
    Collection<SocketAddress> opened = new ConcurrentLinkedQueue<>();
    Collection<SocketAddress> closed = new ConcurrentLinkedQueue<>();
    ConnectionListener listener =
        new ConnectionListener() {
          @Override
          public void opened(SocketAddress client) {
            opened.add(client);
          }

          @Override
          public void closed(SocketAddress client) {
            closed.add(client);
          }
        };
    try (RunningServer server = server(args -> args.connectionListener(listener));
        Client first = connect();
        Client second = connect()) {
      first.call("echo", Bytes.of("x"));
      second.call("echo", Bytes.of("x"));
      assertEquals(2, server.server.connections());
    }
    assertEquals(2, new HashSet<>(opened).size());
    assertEquals(new HashSet<>(opened), new HashSet<>(closed));
    assertEquals(
        new HashSet<>(Arrays.asList(path + "#1", path + "#2")), texts(opened), "as logs say it");
  }

  private static Collection<String> texts(Collection<SocketAddress> addresses) {
    Collection<String> texts = new HashSet<>();
    addresses.forEach(address -> texts.add(address.toString()));
    return texts;
  }

  @Test
  void shouldRefuseConnectsWhenItHasStopped() throws Exception {
    server().stop();
    assertThrows(IOException.class, this::connect);
  }
}
