package dev.ringside.trip.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.trip.stream.Point;
import dev.ringside.trip.stream.PointKind;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LanesTest {
  private static final int WORKERS = 4;

  /** 300 trips run in parallel, but each trip's points run in order, one at a time. */
  @Test
  void shouldKeepTheOrderOfEachTripsPoints() {
    int trips = 300;
    int points = 200;
    Map<Long, Integer> last = new ConcurrentHashMap<>();
    Map<Long, Integer> inside = new ConcurrentHashMap<>();
    AtomicInteger faults = new AtomicInteger();
    Lanes lanes =
        new Lanes(
            WORKERS,
            work(
                point -> {
                  if (inside.merge(point.trip(), 1, Integer::sum) != 1) {
                    faults.incrementAndGet();
                  }
                  if (last.getOrDefault(point.trip(), -1) != point.number() - 1) {
                    faults.incrementAndGet();
                  }
                  last.put(point.trip(), point.number());
                  if (point.number() % 50 == 0) {
                    Thread.yield();
                  }
                  inside.merge(point.trip(), -1, Integer::sum);
                }));
    SplittableRandom random = new SplittableRandom(3);
    int[] next = new int[trips];
    for (int left = trips * points; left > 0; ) {
      int trip = random.nextInt(trips);
      if (next[trip] < points) {
        lanes.add(null, point(trip, next[trip]++));
        left--;
      }
    }
    assertTrue(lanes.close());
    assertEquals(0, faults.get());
    assertEquals(trips, last.size());
    assertTrue(last.values().stream().allMatch(number -> number == points - 1));
    assertEquals(trips * points, lanes.done());
    assertEquals(0, lanes.waiting());
  }

  @Test
  void shouldTellHowManyPointsWait() throws InterruptedException {
    CountDownLatch go = new CountDownLatch(1);
    CountDownLatch busy = new CountDownLatch(WORKERS);
    Lanes lanes =
        new Lanes(
            WORKERS,
            work(
                point -> {
                  busy.countDown();
                  try {
                    go.await();
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                }));
    for (int trip = 0; trip < 1_000; trip++) {
      lanes.add(null, point(trip, 0));
    }
    busy.await();
    assertEquals(1_000, lanes.waiting());
    assertEquals(1_000, lanes.taken());
    assertTrue(lanes.waitingLanes() > 0, "lanes wait for the pool's threads");
    go.countDown();
    assertTrue(lanes.close());
    assertEquals(0, lanes.waiting());
    assertEquals(0, lanes.waitingLanes());
  }

  /**
   * A fork-join pool starts another thread when a task reports a blocking wait, unless its maximum
   * forbids it.
   */
  @Test
  void shouldHaveNoMoreThreadsThanWorkersWhereACacheLetsThemWait() throws InterruptedException {
    int points = 100;
    CountDownLatch left = new CountDownLatch(points);
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    CountDownLatch tooMany = new CountDownLatch(1);
    Lanes lanes =
        new Lanes(
            WORKERS,
            work(
                point -> {
                  int now = inside.incrementAndGet();
                  most.accumulateAndGet(now, Math::max);
                  if (now > WORKERS) {
                    tooMany.countDown();
                  }
                  waitFor(tooMany);
                  inside.decrementAndGet();
                  left.countDown();
                }));
    for (int trip = 0; trip < points; trip++) {
      lanes.add(null, point(trip, 0));
    }
    left.await(); // a thread that calls close() earlier may help the pool
    assertEquals(WORKERS, most.get());
    assertTrue(lanes.close());
  }

  private static void waitFor(CountDownLatch latch) {
    try {
      ForkJoinPool.managedBlock(
          new ForkJoinPool.ManagedBlocker() {
            @Override
            public boolean block() throws InterruptedException {
              latch.await(20, TimeUnit.MILLISECONDS);
              return true;
            }

            @Override
            public boolean isReleasable() {
              return false;
            }
          });
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Lanes.Work work(Consumer<Point> take) {
    return new Lanes.Work() {
      @Override
      public boolean take(PendingPacket packet, Point point) {
        take.accept(point);
        return false;
      }

      @Override
      public void complete(PendingPacket packet) {
        throw new IllegalStateException("there are no packets");
      }
    };
  }

  private static Point point(long trip, int number) {
    return new Point(trip, number, PointKind.GO_ON, 0, 0, 0);
  }
}
