package dev.ringside.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.contract.Probes;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The endpoints for Prometheus and the kubelet. */
class EndpointsTest {
  private static final String HERE = "127.0.0.1";
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private final HttpClient client = HttpClient.newHttpClient();

  @Test
  void shouldTellPrometheusTheFiguresAsTheyAreWhenItAsks() throws Exception {
    AtomicLong flushes = new AtomicLong(3);
    Map<String, Supplier<Long>> queues = new LinkedHashMap<>();
    queues.put("arrayqueue", () -> 7L);
    queues.put("inline", () -> 0L);
    try (Metrics metrics = new Metrics()) {
      metrics
          .counter("store_flushes_total", "Flushes.", flushes::get)
          .gauge("store_queue_length", "Requests that wait.", queues)
          .serve(HERE, 0);
      flushes.incrementAndGet();
      String text = get(metrics.port(), "/metrics").body();
      assertTrue(text.contains("\nstore_flushes_total 4.0\n"), text);
      assertTrue(text.contains("# TYPE store_flushes_total counter\n"), text);
      assertTrue(text.contains("\nstore_queue_length{server=\"arrayqueue\"} 7.0\n"), text);
      assertTrue(text.contains("\nstore_queue_length{server=\"inline\"} 0.0\n"), text);
      assertTrue(text.contains("\nprocess_cpu_seconds_total "), text);
      assertTrue(text.contains("\njvm_gc_collection_seconds_count{"), text);
    }
  }

  /** The dashboards' tests use the same list as the metrics of every JVM. */
  @Test
  void shouldTellOfTheJvmWhatDashboardsAskOfEveryStore() throws Exception {
    try (Metrics metrics = new Metrics().serve(HERE, 0)) {
      String text = get(metrics.port(), "/metrics").body();
      for (String name : Files.readAllLines(Path.of("jvm-metrics.txt"))) {
        assertTrue(
            Pattern.compile("^" + name + "[ {]", Pattern.MULTILINE).matcher(text).find(), name);
      }
      assertTrue(text.contains("\njvm_memory_used_bytes{area=\"heap\"} "), text);
    }
  }

  @Test
  void shouldTellTheKubeletWhatIsNotWell() throws Exception {
    AtomicReference<List<String>> ills = new AtomicReference<>(List.of());
    try (Probes probes = new Probes(HERE, 0, ills::get, () -> List.of("inline does not answer"))) {
      assertEquals(200, get(probes.port(), "/live").statusCode());
      ills.set(List.of("flusher has ended", "disk is full"));
      HttpResponse<String> live = get(probes.port(), "/live");
      assertEquals(503, live.statusCode());
      assertEquals("flusher has ended\ndisk is full\n", live.body());
      assertEquals(503, get(probes.port(), "/ready").statusCode());
    }
  }

  /** Otherwise two such clients would make the kubelet end the process. */
  @Test
  void shouldAnswerTheKubeletBesideClientsThatDoNotEndTheirRequests() throws Exception {
    List<Socket> halfway = new ArrayList<>();
    try (Probes probes = new Probes(HERE, 0, List::of, List::of)) {
      for (int i = 0; i < 4; i++) {
        Socket socket = new Socket(HERE, probes.port());
        halfway.add(socket);
        socket.getOutputStream().write("GET /live HT".getBytes(StandardCharsets.US_ASCII));
      }
      assertEquals(200, get(probes.port(), "/live").statusCode());
    } finally {
      for (Socket socket : halfway) {
        socket.close();
      }
    }
  }

  private HttpResponse<String> get(int port, String path) throws IOException, InterruptedException {
    URI uri = URI.create("http://" + HERE + ":" + port + path);
    return client.send(
        HttpRequest.newBuilder(uri).timeout(PATIENCE).build(),
        HttpResponse.BodyHandlers.ofString());
  }
}
