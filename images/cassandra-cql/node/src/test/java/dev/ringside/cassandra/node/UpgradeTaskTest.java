package dev.ringside.cassandra.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.cassandra.service.StorageServiceMBean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class UpgradeTaskTest {
  private final List<String> called = new ArrayList<>();
  private IOException failure; // null if the node drains
  @TempDir private Path data;
  private Upgrade upgrade;
  private UpgradeTask task;

  @BeforeEach
  void create() {
    upgrade = new Upgrade(data);
    StorageServiceMBean node =
        (StorageServiceMBean)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {StorageServiceMBean.class},
                (proxy, method, arguments) -> {
                  called.add(method.getName() + " of " + upgrade.version().orElse("old data"));
                  if (failure != null) {
                    throw failure;
                  }
                  return null;
                });
    task = new UpgradeTask(() -> node, upgrade, "5.0.9", () -> called.add("end"));
  }

  @Test
  void shouldDrainThenRememberThenEnd() throws Exception {
    task.run();
    assertEquals(Optional.of("5.0.9"), upgrade.version());
    assertEquals(List.of("drain of old data"), called, "the client is told before the end");
    task.stop();
    task.restart().orElseThrow().run();
    assertEquals(List.of("drain of old data", "end"), called);
  }

  @Test
  void shouldKeepTheVersionOfANodeThatDoesNotDrain() throws Exception {
    failure = new IOException("the disk is full");
    assertEquals("the disk is full", assertThrows(IOException.class, task::run).getMessage());
    assertEquals(Optional.empty(), upgrade.version());
  }

  @Test
  void shouldRejectANodeThatWasUpgraded() throws Exception {
    upgrade.record("5.0.9");
    assertEquals(
        "this node was upgraded to 5.0.9 before",
        assertThrows(IllegalStateException.class, task::run).getMessage());
    assertTrue(called.isEmpty());
  }
}
