package dev.ringside.thrift.internal.wire;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;

/**
 * Limits the memory that all connections together use for one purpose: requests that are received
 * and not run yet, or replies that clients have not read. Each connection has an allowance, which
 * is not limited further. What is larger is admitted with its whole size before it begins, so
 * whatever has begun can be finished. It is admitted only if twice its size is free: what is large
 * leaves room for what is smaller. Thread-safe.
 */
public final class Budget {
  private static final int MAX_ALLOWANCE = 64 << 10;
  private static final int MIN_ALLOWANCE = 4 << 10;

  private final long max;
  private final IntSupplier connections;
  private final Shortage shortage;
  private final AtomicLong used = new AtomicLong();
  private final LongAdder held = new LongAdder();

  /**
   * Creates a budget of which nothing is used.
   *
   * @param connections returns how many connections share it
   * @param shortage is eased whenever some of it is given back
   */
  public Budget(long max, IntSupplier connections, Shortage shortage) {
    this.max = max;
    this.connections = connections;
    this.shortage = shortage;
  }

  /** Returns what each connection may hold without being admitted; a quarter of it all together. */
  public int allowance() {
    long share = max / 4 / Math.max(1, connections.getAsInt());
    return (int) Math.max(MIN_ALLOWANCE, Math.min(MAX_ALLOWANCE, share));
  }

  /** Admits something of that size; returns false if there is no room for it now. */
  public boolean admit(long bytes) {
    return take(bytes, bytes);
  }

  /** Reports whether {@link #admit} would return true now. */
  public boolean admits(long bytes) {
    return fits(used.get(), bytes);
  }

  /** Admits something that may be larger than all of it; returns false if there is no room now. */
  public boolean reserve(long bytes) {
    return take(bytes, Math.min(bytes, max / 4));
  }

  /** Reports whether {@link #reserve} would return true now. */
  public boolean reserves(long bytes) {
    return fits(used.get(), Math.min(bytes, max / 4));
  }

  private boolean take(long bytes, long counted) {
    for (long now = used.get(); fits(now, counted); now = used.get()) {
      if (used.compareAndSet(now, now + bytes)) {
        return true;
      }
    }
    return false;
  }

  private boolean fits(long now, long bytes) {
    return now + 2 * bytes <= max;
  }

  /** Uses memory without being admitted. */
  public void use(long bytes) {
    used.addAndGet(bytes);
  }

  /** Gives memory back. */
  public void giveBack(long bytes) {
    if (bytes > 0) {
      used.addAndGet(-bytes);
      shortage.eased();
    }
  }

  /** Returns how much is used, without allowances. */
  public long used() {
    return used.get();
  }

  /** Counts memory that a connection holds, with its allowance; negative if it is given back. */
  public void hold(long bytes) {
    held.add(bytes);
  }

  /** Returns how much connections hold, with their allowances. */
  public long held() {
    return held.sum();
  }
}
