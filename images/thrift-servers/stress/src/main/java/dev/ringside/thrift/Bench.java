package dev.ringside.thrift;

import dev.ringside.thrift.internal.work.Duty;
import dev.ringside.thrift.internal.work.Roster;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Is a roster for stress tests. Its work is a number; started threads and the watchdog's wake-ups
 * are only counted.
 */
class Bench implements Roster.Staff {
  // One thread writes each of these, with lazySet as the ring does: a full fence here would hide a
  // lock that the roster lacks.
  private final AtomicInteger published = new AtomicInteger();
  private final AtomicInteger taken = new AtomicInteger();

  final AtomicInteger started = new AtomicInteger();
  final AtomicInteger watched = new AtomicInteger();
  final Roster roster;
  final Duty duty = new Duty(from -> {});

  /** Whether all work is hidden from the roster: a deliberate error. */
  boolean blind;

  /** Creates a roster with one thread that has served its work and is about to find none. */
  Bench(int maxThreads) {
    roster = new Roster(this, 0, maxThreads);
    publish();
    take();
    roster.begin(duty);
    started.set(0);
  }

  @Override
  public final boolean hasWork() {
    return !blind && published.get() > taken.get();
  }

  @Override
  public final boolean hasUrgentWork() {
    return false;
  }

  @Override
  public final void start() {
    started.incrementAndGet();
  }

  @Override
  public final void watch() {
    watched.incrementAndGet();
  }

  /** Publishes work without a wake-up. */
  final void add() {
    published.lazySet(published.get() + 1);
  }

  final void publish() {
    add();
    roster.wakeOne();
  }

  final void take() {
    taken.lazySet(taken.get() + 1);
  }
}
