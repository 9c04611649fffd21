package dev.ringside.cassandra.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.service.StorageServiceMBean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class DecommissionTest {
  /** What Cassandra does when it is told to leave. */
  private interface Leaving {
    void leave() throws Exception;
  }

  private final BlockingQueue<String> called = new LinkedBlockingQueue<>();
  @TempDir private Path data;
  private Departure departure;

  @BeforeEach
  void create() {
    departure = new Departure(data);
  }

  private Decommission task(boolean seed, Leaving leaving) {
    StorageServiceMBean node =
        (StorageServiceMBean)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {StorageServiceMBean.class},
                (proxy, method, arguments) -> {
                  called.add(method.getName() + arguments[0]);
                  leaving.leave();
                  return null;
                });
    return new Decommission(() -> node, seed, departure);
  }

  @Test
  void shouldRememberThatTheNodeLeft() throws Exception {
    task(false, () -> assertFalse(departure.happened(), "its data are still needed")).run();
    assertEquals("decommissionfalse", called.poll());
    assertTrue(departure.happened());
    assertFails(task(false, () -> {}), "this node has left the ring; kill it, and it joins again");
    assertTrue(called.isEmpty());
  }

  @Test
  void shouldRejectTheSeed() {
    assertFails(
        task(true, () -> {}),
        "this node is the seed, through which the others join; order it of another node");
    assertTrue(called.isEmpty());
  }

  @Test
  void shouldFailAsTheNodeFails() {
    String why = "Not enough live nodes to maintain replication factor in keyspace one";
    assertFails(
        task(
            false,
            () -> {
              throw new IllegalStateException(why);
            }),
        why);
    assertFalse(departure.happened(), "the node keeps its data");
  }

  @Test
  void shouldStopANodeThatLeaves() throws Exception {
    CountDownLatch leaving = new CountDownLatch(1);
    Decommission task =
        task(
            false,
            () -> {
              leaving.countDown();
              new CountDownLatch(1).await();
            });
    task.stop(); // too early
    BlockingQueue<Boolean> interrupted = new LinkedBlockingQueue<>();
    Thread running =
        new Thread(
            () -> {
              assertThrows(InterruptedException.class, task::run);
              interrupted.add(Thread.currentThread().isInterrupted());
            });
    running.start();
    leaving.await();
    task.stop();
    assertEquals(false, interrupted.poll(50, TimeUnit.SECONDS));
    assertFalse(departure.happened());
    task.stop(); // too late
  }

  private static void assertFails(Decommission task, String why) {
    IllegalStateException e = assertThrows(IllegalStateException.class, task::run);
    assertEquals(why, e.getMessage());
  }
}
