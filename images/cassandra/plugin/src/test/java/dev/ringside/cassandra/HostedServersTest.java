package dev.ringside.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ringside.contract.ServerProof;
import dev.ringside.server.ServerType;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.cassandra.config.EncryptionOptions.ClientEncryptionOptions;
import org.apache.cassandra.thrift.Cassandra;
import org.apache.thrift.TException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

@Timeout(180)
final class HostedServersTest {
  private static final Cassandra.Iface VERSION = HostedNode.handler(method -> "19.39.0");

  /** The call describe_version() as a frame. */
  private static final byte[] DESCRIBE_VERSION =
      ByteBuffer.allocate(33)
          .putInt(29)
          .putInt(0x80010001)
          .putInt(16)
          .put("describe_version".getBytes(StandardCharsets.US_ASCII))
          .putInt(1)
          .put((byte) 0)
          .array();

  @ParameterizedTest
  @EnumSource
  void shouldAnswerManyClientsAndEndEachSessionOnce(ServerType type) throws Exception {
    CountingSessions sessions = new CountingSessions();
    int clients = 8;
    int calls = 25;
    try (HostedNode node = HostedNode.of(type, sessions, VERSION)) {
      ExecutorService pool = Executors.newFixedThreadPool(clients);
      List<Callable<Integer>> work = new ArrayList<>();
      for (int i = 0; i < clients; i++) {
        work.add(
            () -> {
              try (HostedNode.Client client = node.connect()) {
                for (int call = 0; call < calls; call++) {
                  assertEquals("19.39.0", client.calls.describe_version());
                }
              }
              return calls;
            });
      }
      for (Future<Integer> done : pool.invokeAll(work)) {
        assertEquals(calls, done.get());
      }
      pool.shutdown();
    }
    // A thread that waits for another request may already have set its client.
    int waiting = type.model() == ServerType.Model.THREAD_PER_CONNECTION ? clients : 0;
    int requests = sessions.requests.get();
    assertTrue(requests >= clients * calls && requests <= clients * calls + waiting, "" + requests);
    assertEquals(clients, sessions.ended.size());
    sessions.ended.values().forEach(times -> assertEquals(1, times.get()));
  }

  @ParameterizedTest
  @EnumSource
  void shouldNameTheClientOnTheExecutingThread(ServerType type) throws Exception {
    CountingSessions sessions = new CountingSessions();
    Cassandra.Iface whoAmI = HostedNode.handler(method -> String.valueOf(sessions.current.get()));
    try (HostedNode node = HostedNode.of(type, sessions, whoAmI);
        HostedNode.Client client = node.connect()) {
      String seen = client.calls.describe_version();
      assertTrue(seen.startsWith("/127.0.0.1:"), seen);
      client.close();
      node.stop();
      assertEquals(List.of(seen), sessions.ended.keySet().stream().map(String::valueOf).toList());
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldEndTheSessionAndServeOnWhenAHandlerThrows(ServerType type) throws Exception {
    for (Throwable thrown :
        List.of(new IllegalStateException("on purpose"), new StackOverflowError("on purpose"))) {
      CountingSessions sessions = new CountingSessions();
      Cassandra.Iface handler =
          HostedNode.handler(
              method -> {
                if (method.equals("describe_ring")) {
                  HostedServersTest.<RuntimeException>sneak(thrown);
                }
                return "19.39.0";
              });
      try (HostedNode node = HostedNode.of(type, sessions, handler)) {
        try (HostedNode.Client victim = node.connect()) {
          assertThrows(TException.class, () -> victim.calls.describe_ring("ks"));
        }
        try (HostedNode.Client client = node.connect()) {
          assertEquals("19.39.0", client.calls.describe_version());
        }
      }
      assertEquals(2, sessions.ended.size());
      sessions.ended.values().forEach(times -> assertEquals(1, times.get()));
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldEndTheSessionsOfOpenConnectionsAtStop(ServerType type) throws Exception {
    CountingSessions sessions = new CountingSessions();
    try (HostedNode node = HostedNode.of(type, sessions, VERSION);
        HostedNode.Client idle = node.connect()) {
      assertEquals("19.39.0", idle.calls.describe_version());
      node.stop();
      assertEquals(1, sessions.ended.size());
      sessions.ended.values().forEach(times -> assertEquals(1, times.get()));
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldAnswerAFrameThatComesByteByByte(ServerType type) throws Exception {
    try (HostedNode node = HostedNode.of(type, new CountingSessions(), VERSION);
        Socket socket = new Socket("127.0.0.1", node.port)) {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(30_000);
      for (byte b : DESCRIBE_VERSION) {
        socket.getOutputStream().write(b);
      }
      assertTrue(new DataInputStream(socket.getInputStream()).readInt() > 10);
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldCutOffAnOversizedFrameAndServeOn(ServerType type) throws Exception {
    CountingSessions sessions = new CountingSessions();
    try (HostedNode node = HostedNode.of(type, sessions, VERSION)) {
      try (Socket socket = new Socket("127.0.0.1", node.port)) {
        socket.setSoTimeout(30_000);
        socket.getOutputStream().write(new byte[] {0x7f, -1, -1, -1, 1, 2, 3, 4});
        assertTrue(endsWithoutAnswer(socket));
      }
      try (HostedNode.Client client = node.connect()) {
        assertEquals("19.39.0", client.calls.describe_version());
      }
    }
    assertEquals(2, sessions.ended.size());
  }

  /**
   * The session must end after the request; otherwise the request would create it again,
   * permanently.
   */
  @ParameterizedTest
  @EnumSource
  void shouldEndTheSessionOfAClientThatVanishesDuringItsRequest(ServerType type) throws Exception {
    CountingSessions sessions = new CountingSessions();
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch gone = new CountDownLatch(1);
    AtomicInteger endedBefore = new AtomicInteger();
    Cassandra.Iface handler =
        HostedNode.handler(
            method -> {
              running.countDown();
              try {
                gone.await(30, TimeUnit.SECONDS);
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
              endedBefore.set(sessions.ended.size());
              return "19.39.0";
            });
    try (HostedNode node = HostedNode.of(type, sessions, handler)) {
      try (Socket socket = new Socket("127.0.0.1", node.port)) {
        socket.getOutputStream().write(DESCRIBE_VERSION);
        running.await();
        socket.setSoLinger(true, 0);
      }
      gone.countDown();
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
      while (sessions.ended.isEmpty() && System.nanoTime() < deadline) {
        TimeUnit.MILLISECONDS.sleep(1);
      }
    }
    assertEquals(0, endedBefore.get());
    assertEquals(1, sessions.ended.size());
    sessions.ended.values().forEach(times -> assertEquals(1, times.get()));
  }

  private static boolean endsWithoutAnswer(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketException e) {
      return true;
    }
  }

  @Test
  void shouldHostAllServersAtOnceEachOnItsPort() throws Exception {
    List<ServerType> types = List.of(ServerType.values());
    List<String> specs = new ArrayList<>();
    List<Integer> ports = HostedNode.freePorts(types.size());
    for (int i = 0; i < types.size(); i++) {
      specs.add(types.get(i) + ":" + ports.get(i));
    }
    try (HostedNode node =
        new HostedNode(String.join(",", specs), Map.of(), new CountingSessions(), VERSION)) {
      for (int port : ports) {
        try (HostedNode.Client client = new HostedNode.Client(port)) {
          assertEquals("19.39.0", client.calls.describe_version());
        }
      }
    }
  }

  @Test
  void shouldLogOneProofOfEachServer() throws Exception {
    Logger log = (Logger) LoggerFactory.getLogger(RingsideServerFactory.class);
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    log.addAppender(lines);
    log.setAdditive(false);
    log.setLevel(Level.INFO);
    Map<String, String> options =
        Map.of(
            "RINGSIDE_SELECTORS", "3",
            "RINGSIDE_HSHA_WORKERS", "5",
            "RINGSIDE_WORKERS", "7",
            "RINGSIDE_THREADPOOL_SLOWED_HOLD", "0.05");
    List<String> names = List.of("simple", "hsha", "threadedselector", "threadpool-slowed");
    List<Integer> ports = HostedNode.freePorts(names.size());
    List<String> specs = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      specs.add(names.get(i) + ":" + ports.get(i));
    }
    String servers = String.join(",", specs);
    try (HostedNode node = new HostedNode(servers, options, new CountingSessions(), VERSION)) {
      List<JsonNode> proofs = new ArrayList<>();
      for (ILoggingEvent event : lines.list) {
        String line = event.getFormattedMessage();
        assertTrue(line.startsWith(ServerProof.MARK), line);
        assertEquals(1, line.lines().count(), line);
        proofs.add(new ObjectMapper().readTree(line.substring(ServerProof.MARK.length())));
      }
      assertEquals(names, proofs.stream().map(proof -> proof.get("server").textValue()).toList());
      assertEquals(ports, proofs.stream().map(proof -> proof.get("port").intValue()).toList());
      assertEquals(SessionHsHaServer.class.getName(), proofs.get(1).get("class").textValue());
      assertEquals("127.0.0.1", proofs.get(1).get("address").textValue());
      for (JsonNode proof : proofs) {
        JsonNode environment = proof.get("environment");
        environment.forEach(value -> assertTrue(value.isTextual(), proof.toString()));
        assertEquals("3.11.19", environment.get("cassandra").textValue());
        assertEquals("0.9.2", environment.get("libthrift").textValue());
        for (String name : List.of("jvm", "jvm_flags", "heap_max_bytes")) {
          assertTrue(environment.has(name), proof.toString());
        }
      }
      assertFalse(proofs.get(0).get("environment").has("workers"));
      assertEquals("5", proofs.get(1).get("environment").get("workers").textValue());
      assertFalse(proofs.get(1).get("environment").has("selectors"));
      assertEquals("7", proofs.get(2).get("environment").get("workers").textValue());
      assertEquals("3", proofs.get(2).get("environment").get("selectors").textValue());
      assertFalse(proofs.get(1).get("environment").has("hold"));
      assertEquals("0.05", proofs.get(3).get("environment").get("hold").textValue());
    } finally {
      log.setLevel(null);
      log.detachAppender(lines);
    }
  }

  @Test
  void shouldProveTheNativeServerIfItRuns() throws Exception {
    Logger log = (Logger) LoggerFactory.getLogger(RingsideServerFactory.class);
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    log.addAppender(lines);
    log.setLevel(Level.INFO);
    NodeLimits limits = new NodeLimits(4, 64, 1 << 20, new ClientEncryptionOptions());
    try {
      for (int port : List.of(0, 9161)) {
        new HostedNode("native:9161", Map.of(), new CountingSessions(), VERSION, limits, port)
            .close();
      }
      assertEquals(1, lines.list.size(), "without the transport there is no proof");
      String line = lines.list.get(0).getFormattedMessage();
      JsonNode proof = new ObjectMapper().readTree(line.substring(ServerProof.MARK.length()));
      assertEquals("native", proof.get("server").textValue());
      assertEquals("org.apache.cassandra.transport.Server", proof.get("class").textValue());
      assertEquals(9161, proof.get("port").intValue());
    } finally {
      log.setLevel(null);
      log.detachAppender(lines);
    }
  }

  @Test
  void shouldNameThePortThatIsInUse() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress())) {
      String servers = "hsha,xedin:" + taken.getLocalPort();
      IllegalArgumentException e =
          assertThrows(
              IllegalArgumentException.class,
              () -> new HostedNode(servers, Map.of(), new CountingSessions(), VERSION));
      assertTrue(e.getMessage().contains(":" + taken.getLocalPort() + " for server 'xedin'"));
    }
  }

  @Test
  void shouldNameTheOptionThatIsWrong() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                new HostedNode(
                    "hsha",
                    Map.of("RINGSIDE_HSHA_WORKERS", "many"),
                    new CountingSessions(),
                    VERSION));
    assertEquals(
        "RINGSIDE_HSHA_WORKERS (or RINGSIDE_WORKERS) is 'many': give a whole number from 1 up",
        e.getMessage());
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void sneak(Throwable thrown) throws T {
    throw (T) thrown;
  }
}
