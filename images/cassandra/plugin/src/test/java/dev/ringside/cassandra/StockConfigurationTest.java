package dev.ringside.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.server.ServerType;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.config.EncryptionOptions.ClientEncryptionOptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A node with the stock cassandra.yaml, in which the limits of Thrift's threads are commented out:
 * it has Cassandra's defaults.
 */
@Timeout(180)
final class StockConfigurationTest {
  /** Far above every size that a server needs, and far below "no limit". */
  private static final long TOO_LARGE = 1 << 20;

  @BeforeAll
  static void setNothing() {
    DatabaseDescriptor.clientInitialization();
  }

  @Test
  void shouldKeepTheLimitThatThereIs() {
    NodeLimits limits = new NodeLimits(16, 5000, 1, new ClientEncryptionOptions());
    assertEquals(5000, limits.maxWorkers(ServerType.HSHA));
    assertEquals(5000, limits.maxWorkers(ServerType.XEDIN));
  }

  @Test
  void shouldTakeTheSuggestedLimitWhereThereIsNone() {
    assertEquals(Integer.MAX_VALUE, DatabaseDescriptor.getRpcMaxThreads(), "no limit");
    NodeLimits limits = NodeLimits.ofNode();
    assertEquals(16, limits.minWorkers());
    assertEquals(2048, limits.maxWorkers(ServerType.HSHA));
    assertEquals(64, limits.maxWorkers(ServerType.XEDIN));
    assertEquals(15 << 20, limits.maxFrameBytes());
  }

  @ParameterizedTest
  @EnumSource
  void shouldServeWithPoolsAndArraysOfSaneSizes(ServerType type) throws Exception {
    try (HostedNode node =
            new HostedNode(
                type.id(),
                Map.of(),
                new CountingSessions(),
                HostedNode.handler(method -> "19.39.0"),
                NodeLimits.ofNode(),
                0);
        HostedNode.Client client = node.connect()) {
      assertEquals("19.39.0", client.calls.describe_version());
      long largest = Sizes.largest(node.server);
      assertTrue(largest < TOO_LARGE, "the largest has " + largest);
    }
  }

  /** Verifies that the test detects a size without a limit. */
  @Test
  void shouldSeeAPoolWithoutALimit() {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
    pool.shutdown();
    record Holder(Object[] parts) {}
    assertEquals(Integer.MAX_VALUE, Sizes.largest(new Holder(new Object[] {pool})));
    assertEquals(300, Sizes.largest(new Holder(new Object[] {new long[300]})));
  }
}
