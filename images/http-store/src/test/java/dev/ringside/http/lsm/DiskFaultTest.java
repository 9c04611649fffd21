package dev.ringside.http.lsm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.http.lsm.FaultyDisk.Operation;
import dev.ringside.store.Sync;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the guarantee of {@link Sync#ALWAYS} with a disk that fails and a machine that crashes. */
@Timeout(60)
class DiskFaultTest {
  private static final long ROOMY = 1 << 20;
  private static final long TINY = 3_000;
  private static final int WRITERS = 3;

  /** Number of crashes of the machine; this system property changes it. */
  private static final int LOSSES = Integer.getInteger("ringside.crash.losses", 60);

  @TempDir Path home;
  private final Map<String, String> acknowledged = new ConcurrentHashMap<>();

  /**
   * The kernel reports a failed sync once. A writer that waits for the next sync would get its
   * success, although that has nothing to write.
   */
  @Test
  void shouldAcknowledgeNoWriteThatWaitedWhileASyncFailed() throws Exception {
    FaultyDisk disk = new FaultyDisk(home.resolve("store"));
    CountDownLatch syncing = new CountDownLatch(1);
    CountDownLatch mayFail = new CountDownLatch(1);
    AtomicInteger syncs = new AtomicInteger();
    Lsm store = open(disk, ROOMY);
    disk.failBy(
        (operation, file) -> {
          if (operation == Operation.SYNC && syncs.getAndIncrement() == 0) {
            syncing.countDown();
            await(mayFail);
            throw new IOException("the disk is broken");
          }
        });
    FutureTask<Boolean> first = start(() -> isTaken(store, "first"));
    syncing.await();
    FutureTask<Boolean> second = new FutureTask<>(() -> isTaken(store, "second"));
    Thread waiting = new Thread(second);
    waiting.start();
    Stores.await(
        "the second waits for the first's sync",
        () -> get(store, "second") != null && waiting.getState() == Thread.State.BLOCKED);
    mayFail.countDown();
    assertEquals(false, first.get());
    assertEquals(false, second.get(), "acknowledged, and not on the disk");
    close(store);
    try (Lsm left = lost(disk, 1)) {
      assertNull(get(left, "second"));
    }
  }

  /** After a failure of each operation, no acknowledged write is lost and no write is accepted. */
  @ParameterizedTest
  @EnumSource(Operation.class)
  void shouldTakeNoWriteOnceTheDiskHasFailed(Operation fails) throws Exception {
    for (int time = 1; time <= 3; time++) {
      acknowledged.clear();
      FaultyDisk disk = new FaultyDisk(home.resolve("store" + time));
      AtomicInteger left = new AtomicInteger(time);
      Lsm store = open(disk, TINY);
      disk.failBy(
          (operation, file) -> {
            if (operation == fails && left.decrementAndGet() == 0) {
              throw new IOException("no " + operation);
            }
          });
      write(store, 0, 5_000);
      assertTrue(left.get() <= 0, "it did not fail");
      assertNotNull(store.failure(), "it takes writes");
      assertThrows(IOException.class, () -> store.put(Bytes.of("a"), Bytes.of("b")));
      close(store);
      assertEverythingIsIn(lost(disk, time));
    }
  }

  /** The log then ends with half a record, and recovery would find no record after it. */
  @Test
  void shouldTakeNoWriteBehindAnError() throws Exception {
    FaultyDisk disk = new FaultyDisk(home.resolve("store"));
    Lsm store = open(disk, ROOMY);
    disk.failBy(
        (operation, file) -> {
          disk.failBy((next, of) -> {});
          throw new InternalError("no direct buffer");
        });
    assertThrows(InternalError.class, () -> store.put(Bytes.of("a"), Bytes.of("b")));
    write(store, 0, 10);
    assertEquals(Map.of(), acknowledged);
    assertNotNull(store.failure());
    close(store);
    assertEverythingIsIn(lost(disk, 1));
  }

  @Test
  void shouldHaveEveryAcknowledgedWriteThoughTheMachineIsLost() throws Exception {
    for (int seed = 0; seed < LOSSES; seed++) {
      acknowledged.clear();
      FaultyDisk disk = new FaultyDisk(home.resolve("store" + seed));
      AtomicInteger left = new AtomicInteger(new Random(seed).nextInt(600));
      Lsm store = open(disk, TINY);
      disk.failBy(
          (operation, file) -> {
            if (left.decrementAndGet() < 0) {
              throw new IOException("the machine was lost");
            }
          });
      List<FutureTask<Boolean>> writers = new ArrayList<>();
      for (int writer = 0; writer < WRITERS; writer++) {
        int from = writer;
        writers.add(start(() -> write(store, from, 5_000)));
      }
      for (FutureTask<Boolean> writer : writers) {
        assertEquals(false, writer.get());
      }
      close(store);
      assertEverythingIsIn(lost(disk, seed));
    }
  }

  private static Lsm open(FaultyDisk disk, long flushBytes) throws IOException {
    return new Lsm(Stores.options(disk.root(), flushBytes, Sync.ALWAYS), text -> {}, disk);
  }

  private Lsm lost(FaultyDisk disk, int seed) throws IOException {
    Path left = home.resolve("left" + seed);
    disk.loseMachine(left, new Random(seed));
    return Stores.open(left, ROOMY);
  }

  private void assertEverythingIsIn(Lsm store) throws IOException {
    try (store) {
      acknowledged.forEach(
          (key, value) -> {
            String found = get(store, key);
            // A later write without acknowledgement may be present.
            assertTrue(
                found != null && number(found) >= number(value),
                () -> key + " is " + found + ", acknowledged was " + value);
          });
    }
  }

  private static int number(String value) {
    return Integer.parseInt(value.substring(0, value.indexOf(' ')));
  }

  /** Writes a writer's own keys repeatedly. Reports whether all writes were accepted. */
  private boolean write(Lsm store, int writer, int writes) throws Exception {
    for (int i = 0; i < writes; i++) {
      String key = "writer" + writer + "-" + i % 7;
      String value = i + " ".repeat(100);
      try {
        Stores.put(store, key, value);
      } catch (IOException e) {
        return false;
      }
      acknowledged.put(key, value);
    }
    return true;
  }

  private static boolean isTaken(Lsm store, String key) throws Exception {
    try {
      Stores.put(store, key, "v");
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** A log that failed cannot be synced at the end, either. */
  private static void close(Lsm store) {
    try {
      store.close();
    } catch (IOException e) {
      assertNotNull(store.failure());
    }
  }

  private static String get(Lsm store, String key) {
    return Stores.get(store, key);
  }

  private static <T> FutureTask<T> start(Callable<T> task) {
    FutureTask<T> future = new FutureTask<>(task);
    new Thread(future).start();
    return future;
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }
}
