package dev.ringside.stub;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ringside.contract.ServerProof;
import dev.ringside.server.ServerType;
import java.io.IOException;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.apache.thrift.TApplicationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class StubTest {
  private static final String LOCAL = "127.0.0.1";
  private static final int TIMEOUT_MILLIS = 10_000;

  @ParameterizedTest
  @EnumSource(ServerType.class)
  void shouldKeepRecordsBehindEveryServer(ServerType type) throws Exception {
    int port = freePort();
    try (Stub stub = stub(type.id(), port, Map.of());
        KeyValueClient client = new KeyValueClient(LOCAL, port, TIMEOUT_MILLIS)) {
      client.ping();
      assertNull(client.get(bytes("a")));
      assertEquals(Status.NOT_FOUND, client.update(bytes("a"), bytes("1")));
      assertEquals(Status.OK, client.insert(bytes("a"), bytes("1")));
      assertEquals(Status.EXISTS, client.insert(bytes("a"), bytes("2")));
      assertArrayEquals(bytes("1"), client.get(bytes("a")));
      assertEquals(Status.OK, client.update(bytes("a"), bytes("3")));
      assertEquals(Status.OK, client.put(bytes("b"), bytes("4")));
      assertEquals(Status.OK, client.put(bytes("c"), new byte[200_000]));
      List<Record> found = client.scan(bytes("a"), 2);
      assertEquals(2, found.size());
      assertArrayEquals(bytes("a"), found.get(0).key());
      assertArrayEquals(bytes("3"), found.get(0).value());
      assertArrayEquals(bytes("b"), found.get(1).key());
      assertEquals(200_000, client.get(bytes("c")).length);
      assertEquals(0, client.scan(bytes("d"), 5).size());
      assertEquals(Status.OK, client.remove(bytes("a")));
      assertEquals(Status.NOT_FOUND, client.remove(bytes("a")));
      assertEquals(type, stub.servers().get(0).spec().type());
    }
  }

  @ParameterizedTest
  @EnumSource(value = ServerType.class, names = "SIMPLE", mode = EnumSource.Mode.EXCLUDE)
  void shouldLoseNoWriteOfManyClients(ServerType type) throws Exception {
    int clients = 20;
    int each = 50;
    int port = freePort();
    ExecutorService threads = Executors.newFixedThreadPool(clients);
    try (Stub stub = stub(type.id(), port, Map.of("RINGSIDE_HANDLER", "sleep:1ms"))) {
      List<Future<Integer>> done = new ArrayList<>();
      for (int i = 0; i < clients; i++) {
        int number = i;
        done.add(threads.submit((Callable<Integer>) () -> insertAll(port, number, each)));
      }
      for (Future<Integer> inserted : done) {
        assertEquals(each, inserted.get());
      }
      try (KeyValueClient client = new KeyValueClient(LOCAL, port, TIMEOUT_MILLIS)) {
        assertEquals(clients * each, client.scan(bytes(""), clients * each + 1).size());
      }
      assertEquals(1, stub.servers().size());
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void shouldHostEveryServerOverTheSameRecords() throws Exception {
    int port = freePort();
    int health = freePort();
    try (Stub stub = stub(ServerType.names().replace(" ", ""), port, health, Map.of())) {
      int next = port;
      for (StubServer server : stub.servers()) {
        assertEquals(next++, server.spec().port());
        try (KeyValueClient client =
            new KeyValueClient(LOCAL, server.spec().port(), TIMEOUT_MILLIS)) {
          client.put(bytes(server.spec().type().id()), bytes("x"));
        }
      }
      try (KeyValueClient client = new KeyValueClient(LOCAL, port, TIMEOUT_MILLIS)) {
        assertEquals(ServerType.values().length, client.scan(bytes(""), 100).size());
      }
      assertEquals(200, status(health, "/ready"));
      assertEquals(200, status(health, "/live"));
    }
  }

  @Test
  void shouldNotBeReadyWhenAServerHasEnded() throws Exception {
    int health = freePort();
    try (Stub stub = stub("hsha", freePort(), health, Map.of())) {
      assertEquals(200, status(health, "/ready"));
      StubServer server = stub.servers().get(0);
      server.stop();
      long end = System.nanoTime() + 10_000_000_000L;
      while (server.alive() && System.nanoTime() < end) {
        Thread.onSpinWait();
      }
      assertEquals(503, status(health, "/ready"));
      assertEquals(503, status(health, "/live"));
    }
  }

  /** Otherwise two such clients would make the kubelet end the process. */
  @Test
  void shouldBeLiveBesideClientsThatDoNotEndTheirRequests() throws Exception {
    int health = freePort();
    List<Socket> halfway = new ArrayList<>();
    try (Stub stub = stub("hsha", freePort(), health, Map.of())) {
      for (int i = 0; i < 4; i++) {
        Socket socket = new Socket(LOCAL, health);
        halfway.add(socket);
        socket.getOutputStream().write(bytes("GET /live HT"));
      }
      assertEquals(200, status(health, "/live"));
    } finally {
      for (Socket socket : halfway) {
        socket.close();
      }
    }
  }

  @Test
  void shouldRefuseACallThatItDoesNotUnderstand() throws Exception {
    int port = freePort();
    try (Stub stub = stub("hsha", port, Map.of());
        KeyValueClient client = new KeyValueClient(LOCAL, port, TIMEOUT_MILLIS)) {
      assertThrows(TApplicationException.class, () -> client.put(bytes("k"), null));
      client.ping();
      assertTrue(stub.servers().get(0).alive());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"sleep", "sleep:ms", "sleep:1s", "cpu:x", "", "SLEEP:1ms", "at once"})
  void shouldNameTheFormsOfAHandler(String text) {
    IllegalArgumentException fault =
        assertThrows(IllegalArgumentException.class, () -> HandlerMode.parse(text));
    assertTrue(fault.getMessage().contains(HandlerMode.FORMS), fault.getMessage());
  }

  @Test
  void shouldSayWhichPortIsTaken() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      IllegalArgumentException fault =
          assertThrows(
              IllegalArgumentException.class, () -> stub("hsha", taken.getLocalPort(), Map.of()));
      assertTrue(fault.getMessage().contains("hsha:" + taken.getLocalPort()), fault.getMessage());
    }
  }

  @Test
  void shouldProveWhatRuns() throws Exception {
    Map<String, String> environment =
        Map.of(
            "RINGSIDE_SERVERS",
            "disruptor",
            "RINGSIDE_PORT",
            Integer.toString(freePort()),
            "RINGSIDE_HEALTH_PORT",
            Integer.toString(freePort()));
    Settings settings = Settings.of(environment::get);
    try (Stub stub = new Stub(settings)) {
      String line = stub.servers().get(0).proof(ServerProof.ofJarOf(StubMain.class), settings);
      assertTrue(line.startsWith(ServerProof.MARK), line);
      JsonNode proof = new ObjectMapper().readTree(line.substring(ServerProof.MARK.length()));
      assertEquals("disruptor", proof.get("server").textValue());
      assertEquals("dev.ringside.thrift.TDisruptorServer", proof.get("class").textValue());
      assertEquals("127.0.0.1", proof.get("address").textValue());
      assertEquals(stub.servers().get(0).spec().port(), proof.get("port").intValue());
      assertEquals("at-once", proof.get("environment").get("handler").textValue());
      assertEquals("false", proof.get("environment").get("survives_kill").textValue());
      assertEquals("16", proof.get("environment").get("workers").textValue());
      assertEquals("2", proof.get("environment").get("selectors").textValue());
      assertTrue(proof.get("environment").get("jvm").isTextual(), line);
    }
  }

  @Test
  void shouldTakeRequestsForProfilesUntilItIsClosed() throws Exception {
    int profiles = freePort();
    Map<String, String> more = Map.of("RINGSIDE_PROFILE_PORT", Integer.toString(profiles));
    try (Stub stub = stub("hsha", freePort(), more)) {
      assertEquals(1, stub.servers().size());
      // An invalid request, because the profiler must not be loaded into this process.
      assertEquals(400, status(profiles, "/profile?event=none"));
    }
    assertThrows(ConnectException.class, () -> status(profiles, "/profile?event=none"));
  }

  private static int insertAll(int port, int client, int count) throws Exception {
    int inserted = 0;
    try (KeyValueClient connection = new KeyValueClient(LOCAL, port, TIMEOUT_MILLIS)) {
      for (int i = 0; i < count; i++) {
        byte[] key = bytes(client + "-" + i);
        inserted += connection.insert(key, key) == Status.OK ? 1 : 0;
      }
    }
    return inserted;
  }

  private static Stub stub(String servers, int port, Map<String, String> more) throws IOException {
    return stub(servers, port, freePort(), more);
  }

  private static Stub stub(String servers, int port, int health, Map<String, String> more) {
    Map<String, String> environment = new java.util.HashMap<>(more);
    environment.put("RINGSIDE_SERVERS", servers);
    environment.put("RINGSIDE_PORT", Integer.toString(port));
    environment.put("RINGSIDE_HEALTH_PORT", Integer.toString(health));
    return new Stub(Settings.of(environment::get));
  }

  private static int status(int port, String path) throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection)
            URI.create("http://" + LOCAL + ":" + port + path).toURL().openConnection();
    connection.setReadTimeout(3 * TIMEOUT_MILLIS);
    return connection.getResponseCode();
  }

  /**
   * Returns a free port that is followed by free ports, one per server type, below the range that
   * the kernel gives to clients.
   */
  private static int freePort() {
    for (; ; ) {
      int first = ThreadLocalRandom.current().nextInt(10_000, 32_000);
      if (IntStream.range(0, 8).allMatch(i -> isFree(first + i))) {
        return first;
      }
    }
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
