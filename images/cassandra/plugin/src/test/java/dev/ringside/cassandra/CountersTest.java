package dev.ringside.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.counters.CpuGroup;
import dev.ringside.server.ServerType;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.cassandra.thrift.Cassandra;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
final class CountersTest {
  private static final Cassandra.Iface VERSION = HostedNode.handler(method -> "19.39.0");

  /** Acceptors, selectors, workers and watchdogs, also those to which a library gives no name. */
  @ParameterizedTest
  @EnumSource
  void shouldCountEveryThreadOfAServerAsTheServers(ServerType type) throws Exception {
    Set<Thread> before = new HashSet<>(Thread.getAllStackTraces().keySet());
    try (HostedNode node = HostedNode.of(type, new CountingSessions(), VERSION);
        HostedNode.Client client = node.connect()) {
      assertEquals("19.39.0", client.calls.describe_version());
      Set<String> others = new TreeSet<>();
      int servers = 0;
      for (Thread thread : Thread.getAllStackTraces().keySet()) {
        if (CpuGroup.of(thread) == CpuGroup.SERVER && !before.contains(thread)) {
          servers++;
        } else if (!before.contains(thread) && !thread.getName().equals("test-serve")) {
          others.add(thread.getName() + " (" + thread.getClass().getName() + ")");
        }
      }
      assertEquals(Set.of(), others);
      assertTrue(servers > 0);
    }
  }

  @Test
  void shouldTellWhatTheNodeUsedUntilItEnds() throws Exception {
    int port = HostedNode.freePort();
    Map<String, String> options = Map.of("RINGSIDE_COUNTERS_PORT", Integer.toString(port));
    try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      socket.setSoTimeout(30_000);
      try (HostedNode node = new HostedNode("hsha", options, new CountingSessions(), VERSION);
          HostedNode.Client client = node.connect()) {
        assertEquals("19.39.0", client.calls.describe_version());
        String answer = ask(socket, port);
        assertTrue(answer.matches("id 5\\n([a-z_]+ [0-9]+\\n)+"), answer);
        for (String name : new String[] {"cpu_ns", "cpu_server_ns", "cpu_gc_ns", "gc_pause_ms"}) {
          assertTrue(answer.contains("\n" + name + " "), answer);
        }
      }
      socket.setSoTimeout(50);
      assertThrows(SocketTimeoutException.class, () -> ask(socket, port), "the port is closed");
    }
  }

  @Test
  void shouldNameTheOptionThatIsNoPort() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                new HostedNode(
                    "hsha",
                    Map.of("RINGSIDE_COUNTERS_PORT", "70000"),
                    new CountingSessions(),
                    VERSION));
    assertEquals("RINGSIDE_COUNTERS_PORT is '70000': give a port from 1 to 65535", e.getMessage());
  }

  private static String ask(DatagramSocket socket, int port) throws Exception {
    byte[] question = "counters 5".getBytes(StandardCharsets.US_ASCII);
    InetAddress here = InetAddress.getLoopbackAddress();
    socket.send(new DatagramPacket(question, question.length, here, port));
    DatagramPacket packet = new DatagramPacket(new byte[1_500], 1_500);
    socket.receive(packet);
    return new String(packet.getData(), 0, packet.getLength(), StandardCharsets.US_ASCII);
  }
}
