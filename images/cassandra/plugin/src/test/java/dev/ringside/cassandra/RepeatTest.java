package dev.ringside.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.server.ServerType;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.cassandra.thrift.Cassandra;
import org.apache.thrift.TException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A server that does more of the same work on purpose, beside one of the same type that does not.
 */
@Timeout(120)
final class RepeatTest {
  private static final int CALLS = 100;

  /**
   * The arguments are seen by the handler, so that the second run is held to have the same ones.
   */
  @ParameterizedTest
  @EnumSource
  void shouldRunItsShareOfTheCallsTwiceAndAnswerEachOnce(ServerType type) throws Exception {
    AtomicInteger executed = new AtomicInteger();
    Cassandra.Iface counting =
        HostedNode.handler(
            method -> {
              executed.incrementAndGet();
              return "19.39.0 \u2014 with more than one byte each";
            });
    int slowed = HostedNode.freePort();
    String servers = type + "," + type + "-slowed:" + slowed;
    String option = "RINGSIDE_" + type.name() + "_SLOWED_REPEAT";
    try (HostedNode node =
        new HostedNode(servers, Map.of(option, "0.05"), new CountingSessions(), counting)) {
      assertEquals(CALLS, callsThrough(node.port, executed));
      assertEquals(CALLS + CALLS / 20, callsThrough(slowed, executed));
    }
  }

  private static int callsThrough(int port, AtomicInteger executed) throws TException {
    int before = executed.get();
    try (HostedNode.Client client = new HostedNode.Client(port)) {
      for (int i = 0; i < CALLS; i++) {
        assertEquals(
            "19.39.0 \u2014 with more than one byte each", client.calls.describe_version());
      }
    }
    return executed.get() - before;
  }

  @Test
  void shouldHandBothRunsTheSameArguments() throws Exception {
    List<String> seen = new java.util.concurrent.CopyOnWriteArrayList<>();
    Cassandra.Iface listening =
        (Cassandra.Iface)
            java.lang.reflect.Proxy.newProxyInstance(
                RepeatTest.class.getClassLoader(),
                new Class<?>[] {Cassandra.Iface.class},
                (proxy, method, arguments) -> {
                  seen.add(String.valueOf(arguments[0]));
                  return null;
                });
    try (HostedNode node =
            new HostedNode(
                "hsha", Map.of("RINGSIDE_REPEAT", "1"), new CountingSessions(), listening);
        HostedNode.Client client = node.connect()) {
      client.calls.set_keyspace("one");
      client.calls.set_keyspace("two");
    }
    assertEquals(List.of("one", "one", "two", "two"), seen);
  }

  @Test
  void shouldRefuseAShareThatIsNone() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                new HostedNode(
                    "hsha",
                    Map.of("RINGSIDE_HSHA_REPEAT", "5"),
                    new CountingSessions(),
                    HostedNode.handler(method -> "")));
    assertTrue(e.getMessage().startsWith("RINGSIDE_HSHA_REPEAT (or RINGSIDE_REPEAT) is '5': give"));
  }
}
