package dev.ringside.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import org.apache.cassandra.thrift.Cassandra;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
final class ProfilesTest {
  private static final Cassandra.Iface VERSION = HostedNode.handler(method -> "19.39.0");

  private final HttpClient http = HttpClient.newHttpClient();

  @Test
  void shouldTakeRequestsForProfilesUntilTheNodeEnds() throws Exception {
    int port = HostedNode.freePort();
    Map<String, String> options = Map.of("RINGSIDE_PROFILE_PORT", Integer.toString(port));
    try (HostedNode node = new HostedNode("hsha", options, new CountingSessions(), VERSION);
        HostedNode.Client client = node.connect()) {
      assertEquals("19.39.0", client.calls.describe_version());
      // An invalid request, because the profiler must not be loaded into this process.
      HttpResponse<String> refused = ask(port);
      assertEquals(400, refused.statusCode());
      assertEquals("event is 'none': it is one of cpu, alloc, lock, wall\n", refused.body());
    }
    assertThrows(ConnectException.class, () -> ask(port), "the port is closed");
  }

  @Test
  void shouldNameTheOptionThatIsNoPort() {
    assertEquals(
        "RINGSIDE_PROFILE_PORT is '70000': give a port from 1 to 65535",
        refusal(Map.of("RINGSIDE_PROFILE_PORT", "70000")));
  }

  @Test
  void shouldLeaveNoPortOpenWhereThatForProfilesIsTaken() throws Exception {
    InetAddress here = InetAddress.getLoopbackAddress();
    int counters = HostedNode.freePort();
    try (ServerSocket taken = new ServerSocket(0, 1, here)) {
      String fault =
          refusal(
              Map.of(
                  "RINGSIDE_COUNTERS_PORT", Integer.toString(counters),
                  "RINGSIDE_PROFILE_PORT", Integer.toString(taken.getLocalPort())));
      String start = "cannot listen on 127.0.0.1:" + taken.getLocalPort() + "/tcp for profiles: ";
      assertTrue(fault.startsWith(start), fault);
    }
    try (DatagramSocket again = new DatagramSocket(new InetSocketAddress(here, counters))) {
      assertEquals(counters, again.getLocalPort());
    }
  }

  private static String refusal(Map<String, String> options) {
    return assertThrows(
            IllegalArgumentException.class,
            () -> new HostedNode("hsha", options, new CountingSessions(), VERSION))
        .getMessage();
  }

  private HttpResponse<String> ask(int port) throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + port + "/profile?event=none");
    return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }
}
