package dev.ringside.trip.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.store.SettingsException;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests all caches in one process with the requests of the kubelet, Prometheus and a load. */
class TripStoreTest {
  private static final String HOST = "127.0.0.1";
  @TempDir Path folder;
  private final Map<String, String> environment = new HashMap<>();
  private final Map<String, Integer> ports = new HashMap<>();
  private TripStore store;

  @BeforeEach
  void serve() throws IOException {
    // All are held at once: the kernel may return a port again after it is closed.
    List<ServerSocket> held = new ArrayList<>();
    for (String name :
        new String[] {"rocksdb", "lmdb", "heap", "HEALTH", "METRICS", "COUNTERS", "PROFILE"}) {
      ServerSocket socket = new ServerSocket(0);
      held.add(socket);
      ports.put(name, socket.getLocalPort());
    }
    for (ServerSocket socket : held) {
      socket.close();
    }
    environment.put("RINGSIDE_DATA", folder.resolve("data").toString());
    environment.put(
        "RINGSIDE_SERVERS",
        String.format(
            "rocksdb:%d,lmdb:%d,heap:%d",
            ports.get("rocksdb"), ports.get("lmdb"), ports.get("heap")));
    environment.put("RINGSIDE_MAP_MIB", "64");
    for (String what : new String[] {"HEALTH", "METRICS", "COUNTERS", "PROFILE"}) {
      environment.put("RINGSIDE_" + what + "_PORT", ports.get(what).toString());
    }
    store = TripStore.of(environment::get, line -> {});
  }

  @AfterEach
  void stop() throws IOException {
    store.close();
  }

  @Test
  void shouldAnswerOnEveryServerAndSaySo() throws Exception {
    assertEquals(200, ask("HEALTH", "/ready").statusCode());
    assertEquals(200, ask("HEALTH", "/live").statusCode());
    for (TripServer server : store.servers()) {
      StreamCheck.writeAndRead(HOST + ":" + server.hosted().port());
      assertEquals(3, server.lanes().done(), "the probes write nothing");
      assertEquals(1, server.builder().ended());
      assertTrue(server.cache().sizes().entries() >= 1, "RocksDB counts each put");
    }
  }

  @Test
  void shouldNotBeReadyWithoutAllServers() throws Exception {
    store.servers().get(2).close();
    HttpResponse<String> answer = ask("HEALTH", "/ready");
    assertEquals(503, answer.statusCode());
    assertEquals("heap:" + ports.get("heap") + " does not answer\n", answer.body());
    assertThrows(IOException.class, () -> StreamCheck.writeAndRead(HOST + ":" + ports.get("heap")));
  }

  @Test
  void shouldTellPrometheusItsQueuesAndItsCaches() throws Exception {
    StreamCheck.writeAndRead(HOST + ":" + ports.get("rocksdb"));
    String metrics = ask("METRICS", "/metrics").body();
    for (String line :
        new String[] {
          "ringside_trip_points_total{server=\"rocksdb\"} 3.0",
          "ringside_trip_points_total{server=\"heap\"} 0.0",
          "ringside_trip_queue_length{server=\"lmdb\"} 0.0",
          "ringside_trip_pool_queue_length{server=\"lmdb\"} 0.0",
          "ringside_trip_put_bytes_total{server=\"rocksdb\"} 123.0",
          "ringside_trip_cache_entries{server=\"rocksdb\"} 3.0", // RocksDB counts each put
          "ringside_trip_cache_stall_micros_total{server=\"rocksdb\"} 0.0",
          "ringside_trip_disk_written_bytes_total ",
          "process_cpu_seconds_total "
        }) {
      assertTrue(metrics.contains(line), () -> line + " is not among\n" + metrics);
    }
  }

  @Test
  void shouldTellALoadWhatItUsedAndWhereItsQueuesStand() throws Exception {
    StreamCheck.writeAndRead(HOST + ":" + ports.get("heap"));
    StreamCheck.writeAndRead(HOST + ":" + ports.get("rocksdb"));
    String counters = counters();
    assertTrue(counters.startsWith("id 17\ncpu_ns "), counters);
    assertTrue(counters.contains("\npoints 6\n"), counters);
    assertTrue(counters.contains("\npoints_received 6\n"), counters);
    assertTrue(counters.contains("\nput_bytes 246\n"), counters);
    assertTrue(counters.contains("\ngot_bytes 264\n"), counters);
    assertTrue(counters.contains("\nwritten_bytes "), counters);
  }

  @Test
  void shouldTellNoSizesOfSeveralServersTogether() throws IOException {
    assertEquals("id 17\n", asked("sizes 17"));
  }

  private String counters() throws IOException {
    return asked("counters 17");
  }

  private String asked(String words) throws IOException {
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.setSoTimeout(10_000);
      byte[] question = words.getBytes(StandardCharsets.US_ASCII);
      socket.send(
          new DatagramPacket(
              question, question.length, new InetSocketAddress(HOST, ports.get("COUNTERS"))));
      DatagramPacket answer = new DatagramPacket(new byte[1400], 1400);
      socket.receive(answer);
      return new String(answer.getData(), 0, answer.getLength(), StandardCharsets.US_ASCII);
    }
  }

  @Test
  void shouldTakeRequestsForProfiles() throws Exception {
    // An invalid event, because this process must not load the profiler.
    HttpResponse<String> answer = ask("PROFILE", "/profile?event=none");
    assertEquals(400, answer.statusCode());
    assertEquals("event is 'none': it is one of cpu, alloc, lock, wall\n", answer.body());
  }

  @Test
  void shouldNameThePortThatIsTaken() {
    environment.put("RINGSIDE_DATA", folder.resolve("other").toString());
    SettingsException refused =
        assertThrows(SettingsException.class, () -> TripStore.of(environment::get, line -> {}));
    assertTrue(refused.getMessage().contains("is one in use?"), refused::getMessage);
    assertTrue(refused.getMessage().contains("rocksdb:" + ports.get("rocksdb")));
  }

  private HttpResponse<String> ask(String port, String path)
      throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create("http://" + HOST + ":" + ports.get(port) + path))
                .build(),
            BodyHandlers.ofString());
  }
}
