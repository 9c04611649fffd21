package dev.ringside.cassandra.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.ringside.contract.MaintenanceTask;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.service.StorageServiceMBean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class NodeTasksTest {
  private static final int COMMAND = 7;

  private final BlockingQueue<String> called = new LinkedBlockingQueue<>();
  private final CountDownLatch polled = new CountDownLatch(1);
  private final Deque<List<String>> repairs = new ArrayDeque<>();
  private List<String> keyspaces = List.of("system_auth", "two", "system", "one");
  private int command = COMMAND;
  private int cleanup;

  private MaintenanceTask task(String name) {
    StorageServiceMBean node =
        (StorageServiceMBean)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {StorageServiceMBean.class},
                this::call);
    return new NodeTasks(() -> node, false, null).byName().get(name);
  }

  private Object call(Object proxy, Method method, Object[] arguments) {
    switch (method.getName()) {
      case "getNonSystemKeyspaces":
        return keyspaces;
      case "getParentRepairStatus":
        polled.countDown();
        return repairs.size() > 1 ? repairs.pop() : repairs.peek();
      default:
        called.add(method.getName() + Arrays.deepToString(arguments));
    }
    switch (method.getName()) {
      case "repairAsync":
        return command;
      case "forceKeyspaceCleanup":
        return cleanup;
      default:
        return null;
    }
  }

  @Test
  void shouldOfferWhatTheChartNames() {
    assertEquals(
        Set.of("repair", "compact", "cleanup", "flush", "decommission"),
        new NodeTasks(() -> null, false, null).byName().keySet());
  }

  @Test
  void shouldWorkOnAllKeyspacesOfTheLoad() throws Exception {
    task("compact").run();
    task("cleanup").run();
    task("flush").run();
    assertEquals(
        List.of(
            "forceKeyspaceCompaction[false, one, []]",
            "forceKeyspaceCompaction[false, two, []]",
            "forceKeyspaceCleanup[2, one, []]",
            "forceKeyspaceCleanup[2, two, []]",
            "forceKeyspaceFlush[one, []]",
            "forceKeyspaceFlush[two, []]"),
        List.copyOf(called));
  }

  @Test
  void shouldEndWithTheRepair() throws Exception {
    keyspaces = List.of("one");
    repairs.add(List.of("IN_PROGRESS"));
    repairs.add(List.of("IN_PROGRESS"));
    repairs.add(List.of("COMPLETED", "in 2 seconds"));
    task("repair").run();
    assertEquals(1, repairs.size(), "it was polled until the end");
    assertEquals(1, called.size());
  }

  @Test
  void shouldFailAsTheNodeFails() {
    keyspaces = List.of("one");
    repairs.add(List.of("FAILED", "Endpoint not alive: 10.0.0.2"));
    assertFails("repair", "repair of keyspace one: FAILED: Endpoint not alive: 10.0.0.2");
    command = 0;
    assertFails("repair", "keyspace one has one copy of each row, so there is nothing to repair");
    cleanup = 2;
    assertFails("cleanup", "cleanup of keyspace one ended as 2");
    keyspaces = List.of("system_schema", "system_distributed");
    assertFails("flush", "there is no keyspace but Cassandra's own");
  }

  private void assertFails(String task, String why) {
    IllegalStateException e = assertThrows(IllegalStateException.class, task(task)::run);
    assertEquals(why, e.getMessage());
  }

  @Test
  void shouldStopARepairThatReportsNothing() throws Exception {
    keyspaces = List.of("one", "two");
    MaintenanceTask repair = task("repair");
    BlockingQueue<String> failed = new LinkedBlockingQueue<>();
    Thread running =
        new Thread(
            () -> {
              try {
                repair.run();
              } catch (Exception e) {
                failed.add(e.getMessage());
              }
            });
    running.start();
    polled.await();
    repair.stop();
    assertEquals("the task was stopped", failed.poll(50, TimeUnit.SECONDS));
    assertEquals("forceTerminateAllRepairSessionsnull", List.copyOf(called).get(1));
  }
}
