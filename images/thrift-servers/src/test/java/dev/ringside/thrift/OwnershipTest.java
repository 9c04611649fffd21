package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.thrift.internal.loop.Alarm;
import dev.ringside.thrift.internal.loop.Io;
import dev.ringside.thrift.internal.loop.Leadership;
import dev.ringside.thrift.internal.loop.Ownership;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
final class OwnershipTest {
  @Test
  void shouldPassFromTheLoopToAnOwnerAndBack() {
    Ownership ownership = new Ownership();
    assertTrue(ownership.isInLoop());
    ownership.take();
    assertFalse(ownership.isInLoop());
    assertTrue(ownership.giveBackWatched());
    assertTrue(ownership.isInLoop());
  }

  @Test
  void shouldMakeTheOwnerTellALoopThatHasStoppedWatching() {
    Ownership ownership = new Ownership();
    ownership.take();
    assertTrue(ownership.markUnwatched());
    assertFalse(ownership.markUnwatched());
    assertFalse(ownership.giveBackWatched());
    ownership.putBack();
    assertTrue(ownership.isInLoop());
  }

  /**
   * An owner and a leader act at the same moment: exactly one of them must continue with the
   * connection.
   */
  @Test
  void shouldNeverLoseAConnectionBetweenOwnerAndLeader() throws Exception {
    int rounds = 200_000;
    Ownership ownership = new Ownership();
    AtomicInteger wins = new AtomicInteger();
    AtomicInteger lost = new AtomicInteger();
    CyclicBarrier barrier = new CyclicBarrier(2, () -> {});
    boolean[] outcome = new boolean[2];
    Thread owner =
        new Thread(
            () -> {
              try {
                for (int i = 0; i < rounds / 100; i++) {
                  for (int j = 0; j < 10; j++) {
                    barrier.await();
                    outcome[0] = ownership.giveBackWatched();
                    barrier.await();
                  }
                }
              } catch (Exception e) {
                lost.incrementAndGet();
              }
            });
    owner.start();
    for (int i = 0; i < rounds / 100; i++) {
      for (int j = 0; j < 10; j++) {
        ownership.take();
        barrier.await();
        outcome[1] = ownership.markUnwatched();
        barrier.await();
        if (outcome[0] == outcome[1]) {
          lost.incrementAndGet();
        }
        wins.addAndGet(outcome[0] ? 1 : 0);
      }
    }
    owner.join();
    assertEquals(0, lost.get());
    assertTrue(wins.get() > 0);
  }

  @Test
  void shouldEitherEndServingOrBeDeposed() {
    Leadership leadership = new Leadership(null, new Io(1024, 0), new Alarm());
    assertFalse(leadership.depose(new Io(1024, 0)));
    leadership.beginServing(null);
    assertTrue(leadership.endServing());
    leadership.beginServing(null);
    assertTrue(leadership.depose(new Io(1024, 0)));
    assertTrue(leadership.isDeposed());
    assertFalse(leadership.endServing());
    assertFalse(leadership.depose(new Io(1024, 0)));
  }
}
