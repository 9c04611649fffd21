package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.thrift.internal.work.HandOffRing;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the guarantees of the ring on which the server relies. */
@Timeout(180)
final class HandOffRingTest {
  @Test
  void shouldGiveEntriesInOrderAndRefuseWhenFull() {
    HandOffRing<Object> ring = new HandOffRing<>(4);
    Object[] entries = {"a", "b", "c", "d"};
    for (int lap = 0; lap < 3; lap++) {
      assertTrue(ring.isEmpty());
      assertNull(ring.poll());
      for (Object entry : entries) {
        assertTrue(ring.offer(entry));
      }
      assertFalse(ring.offer("e"));
      assertEquals(4, ring.occupancy());
      for (Object entry : entries) {
        assertSame(entry, ring.poll());
      }
    }
  }

  @Test
  void shouldNotKeepWhatWasTaken() throws Exception {
    HandOffRing<Object> ring = new HandOffRing<>(1024);
    ring.offer(new Object());
    WeakReference<Object> taken = new WeakReference<>(ring.poll());
    RunningServer.await(
        "it is collected",
        () -> {
          System.gc();
          return taken.get() == null;
        });
  }

  /** A poll must check only the next entry and not all later ones. */
  @Test
  void shouldCostTheSameHoweverManyWait() {
    int size = 1 << 18;
    HandOffRing<Integer> ring = new HandOffRing<>(size);
    for (int i = 0; i < size; i++) {
      ring.offer(i);
    }
    Assertions.assertTimeout(
        Duration.ofSeconds(10),
        () -> {
          for (int i = 0; i < size; i++) {
            assertEquals(i, ring.poll());
          }
        });
  }

  @Test
  void shouldGiveEachEntryToOneTakerOnly() throws Exception {
    int producers = 3;
    int takers = 3;
    int each = 100_000;
    HandOffRing<int[]> ring = new HandOffRing<>(8);
    AtomicInteger[] seen = new AtomicInteger[producers * each];
    for (int i = 0; i < seen.length; i++) {
      seen[i] = new AtomicInteger();
    }
    AtomicInteger left = new AtomicInteger(seen.length);
    AtomicInteger disorder = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int p = 0; p < producers; p++) {
      int first = p * each;
      threads.add(
          new Thread(
              () -> {
                for (int i = 0; i < each; i++) {
                  int[] entry = {first + i};
                  while (!ring.offer(entry)) {
                    Thread.yield();
                  }
                }
              }));
    }
    for (int t = 0; t < takers; t++) {
      threads.add(
          new Thread(
              () -> {
                int[] last = new int[producers];
                java.util.Arrays.fill(last, -1);
                while (left.get() > 0) {
                  int[] entry = ring.poll();
                  if (entry == null) {
                    Thread.yield();
                    continue;
                  }
                  left.decrementAndGet();
                  seen[entry[0]].incrementAndGet();
                  int producer = entry[0] / each;
                  if (entry[0] <= last[producer]) {
                    disorder.incrementAndGet();
                  }
                  last[producer] = entry[0];
                }
              }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    for (AtomicInteger count : seen) {
      assertEquals(1, count.get());
    }
    assertEquals(0, disorder.get());
  }
}
