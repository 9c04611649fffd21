package dev.ringside.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MetricsTest {
  private static final String OPEN_METRICS = "application/openmetrics-text";
  private static final String PROTOBUF =
      "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited";

  /** Prometheus asks for the first format if it collects native histograms, else for the second. */
  @ParameterizedTest
  @ValueSource(strings = {PROTOBUF, OPEN_METRICS})
  void shouldAnswerInTheFormatThatPrometheusAsksForFirst(String first) throws Exception {
    try (Metrics metrics = new Metrics().gauge("ringside_test_depth", "A depth.", () -> 7)) {
      metrics.serve("127.0.0.1", 0);
      HttpURLConnection answer =
          ask(metrics.port(), first + "," + OPEN_METRICS + ";q=0.8,text/plain;q=0.5,*/*;q=0.1");
      assertEquals(200, answer.getResponseCode());
      assertTrue(
          answer.getContentType().replace(" ", "").startsWith(first), answer.getContentType());
      String body = body(answer);
      assertTrue(body.contains("ringside_test_depth"), body);
      assertTrue(body.contains("process_cpu_seconds"), body);
    }
  }

  @Test
  void shouldAnswerInTextIfNothingElseIsAsked() throws Exception {
    try (Metrics metrics = new Metrics().gauge("ringside_test_depth", "A depth.", () -> 7)) {
      metrics.serve("127.0.0.1", 0);
      String body = body(ask(metrics.port(), "*/*"));
      assertTrue(body.contains("\nringside_test_depth 7.0\n"), body);
    }
  }

  private static HttpURLConnection ask(int port, String accept) throws IOException {
    HttpURLConnection asked =
        (HttpURLConnection)
            URI.create("http://127.0.0.1:" + port + "/metrics").toURL().openConnection();
    asked.setRequestProperty("Accept", accept);
    asked.setRequestProperty("Accept-Encoding", "gzip");
    return asked;
  }

  private static String body(HttpURLConnection answer) throws IOException {
    try (InputStream in = new GZIPInputStream(answer.getInputStream())) {
      return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }
}
