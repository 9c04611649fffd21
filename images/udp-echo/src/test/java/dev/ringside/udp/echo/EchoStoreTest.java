package dev.ringside.udp.echo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.store.SettingsException;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EchoStoreTest {
  private static final String HOST = InetAddress.getLoopbackAddress().getHostAddress();

  private final HttpClient http = HttpClient.newHttpClient();

  @Test
  void shouldProveProbeAndMeterEveryServerThatItHosts() throws Exception {
    Map<String, String> environment = new HashMap<>();
    int inline = freeUdp();
    int again = freeUdp();
    int sleeping = freeUdp();
    int probes = freeTcp();
    int metrics = freeTcp();
    int profiles = freeTcp();
    environment.put(
        "RINGSIDE_SERVERS",
        "inline:" + inline + ",inline-again:" + again + ",disruptor-sleeping:" + sleeping);
    environment.put("RINGSIDE_ADDRESS", HOST);
    environment.put("RINGSIDE_HANDLER", "shared-counter");
    environment.put("RINGSIDE_PROBES_PORT", Integer.toString(probes));
    environment.put("RINGSIDE_METRICS_PORT", Integer.toString(metrics));
    environment.put("RINGSIDE_COUNTERS_PORT", Integer.toString(freeUdp()));
    environment.put("RINGSIDE_PROFILE_PORT", Integer.toString(profiles));
    try (EchoStore store = new EchoStore(EchoSettings.of(environment::get))) {
      List<String> proofs = store.proofs(EchoMain.class);
      assertEquals(3, proofs.size());
      String start =
          "ringside-proof {\"server\":\"inline\",\"class\":\"dev.ringside.udp.echo.InlineEcho\"";
      assertTrue(proofs.get(0).startsWith(start), proofs.get(0));
      assertTrue(
          proofs.get(2).contains("\"class\":\"com.lmax.disruptor.SleepingWaitStrategy\""),
          proofs.get(2));
      assertTrue(proofs.get(2).contains("\"port\":" + sleeping), proofs.get(2));

      assertEquals("200 ok\n", get(probes, "/live"));
      assertEquals("200 ok\n", get(probes, "/ready"));
      // An invalid event, because this process must not load the profiler.
      assertEquals(
          "400 event is 'none': it is one of cpu, alloc, lock, wall\n",
          get(profiles, "/profile?event=none"));
      String told = get(metrics, "/metrics");
      // The readiness probe sent one request to each of them.
      for (String server : List.of("inline", "inline-again", "disruptor-sleeping")) {
        for (String what : List.of("received", "replied")) {
          String line = "ringside_udp_" + what + "_total{server=\"" + server + "\"} 1.0\n";
          assertTrue(told.contains(line), told);
        }
      }
      assertTrue(told.contains("ringside_udp_shared_counter_total 3.0\n"), told);
      assertTrue(told.contains("process_cpu_seconds_total "), told);
    }
  }

  @Test
  void shouldTellAllThatIsWrongInOneLine() {
    Map<String, String> environment =
        Map.of(
            "RINGSIDE_SERVERS", "netty:9000",
            "RINGSIDE_HANDLER", "lower-case",
            "RINGSIDE_HANDLERS", "0",
            "RINGSIDE_SLOTS", "1000");
    String fault =
        assertThrows(SettingsException.class, () -> EchoSettings.of(environment::get)).getMessage();
    String all =
        "RINGSIDE_SERVERS: no server is named 'netty': .*; RINGSIDE_HANDLER: handler is 'lower-case':"
            + " .*; RINGSIDE_HANDLERS is '0': .*; RINGSIDE_SLOTS is '1000': .*";
    assertTrue(fault.matches(all), fault);
  }

  @Test
  void shouldNameThePortThatIsTaken() throws Exception {
    try (DatagramSocket taken = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      Map<String, String> environment =
          Map.of("RINGSIDE_SERVERS", "inline:" + taken.getLocalPort(), "RINGSIDE_ADDRESS", HOST);
      String fault =
          assertThrows(
                  IOException.class, () -> new EchoStore(EchoSettings.of(environment::get)).close())
              .getMessage();
      assertTrue(fault.contains(taken.getLocalPort() + ": is the port in use?"), fault);
    }
  }

  private String get(int port, String path) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + HOST + ":" + port + path)).build();
    HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
    return path.equals("/metrics") ? answer.body() : answer.statusCode() + " " + answer.body();
  }

  private static int freeUdp() throws IOException {
    try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static int freeTcp() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
