package dev.ringside.load;

/** A clock that advances only when the code waits. For one thread. */
final class FakeClock implements Clock {
  private long now;

  FakeClock(long now) {
    this.now = now;
  }

  @Override
  public long nanoTime() {
    return now;
  }

  @Override
  public void sleepUntil(long nanos) {
    now = Math.max(now, nanos);
  }

  void pass(long nanos) {
    now += nanos;
  }
}
