package dev.ringside.thrift;

import java.util.concurrent.atomic.AtomicInteger;

/** A roster with work that is a number, threads that are only counted, and a watchdog's bell. */
class Bench implements Work, Staff {
  final AtomicInteger work = new AtomicInteger();
  final AtomicInteger started = new AtomicInteger();
  final AtomicInteger watched = new AtomicInteger();
  final Roster roster;
  final Duty duty = new Duty(from -> {});

  /** One thread, which has looked for work and is about to find out that there is none. */
  Bench(int maxThreads) {
    roster = new Roster(this, this, 0, maxThreads, 1);
    work.set(1);
    roster.wakeOne();
    work.set(0);
    roster.begin(duty);
    roster.hasLooked(duty);
    started.set(0);
  }

  @Override
  public final boolean exists() {
    return work.get() > 0;
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

  final void publish() {
    work.incrementAndGet();
    roster.wakeOne();
  }
}
