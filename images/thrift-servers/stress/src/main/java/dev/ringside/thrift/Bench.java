package dev.ringside.thrift;

import java.util.concurrent.atomic.AtomicInteger;

/** A roster with work that is a number, threads that are only counted, and a watchdog's bell. */
class Bench implements Work, Staff {
  // Each is written by one thread, and as the ring does it: without a fence that the roster's own
  // could hide behind.
  private final AtomicInteger published = new AtomicInteger();
  private final AtomicInteger taken = new AtomicInteger();

  final AtomicInteger started = new AtomicInteger();
  final AtomicInteger watched = new AtomicInteger();
  final Roster roster;
  final Duty duty = new Duty(from -> {});

  /** Whether the roster sees no work wherever it looks, which is a fault put in on purpose. */
  boolean blind;

  /** One thread, which has looked for work and is about to find out that there is none. */
  Bench(int maxThreads) {
    roster = new Roster(this, this, 0, maxThreads, 1);
    publish();
    take();
    roster.begin(duty);
    roster.hasLooked(duty);
    started.set(0);
  }

  @Override
  public final boolean exists() {
    return !blind && published.get() > taken.get();
  }

  @Override
  public final boolean isUrgent() {
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

  /** Makes work known, and wakes nobody. */
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
