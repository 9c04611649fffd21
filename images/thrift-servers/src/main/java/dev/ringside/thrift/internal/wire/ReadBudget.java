package dev.ringside.thrift.internal.wire;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Limits the memory that all connections together hold for requests that are received and not run
 * yet. When it is used up, the server stops reading from connections until some of it is given
 * back.
 */
public final class ReadBudget {
  private final long maxBytes;
  private final Shortage shortage;
  private final AtomicLong usedBytes = new AtomicLong();
  private final AtomicReference<Object> exempt = new AtomicReference<>();

  /**
   * Creates a budget.
   *
   * @param wakeLoops wakes the loops that may wait for memory
   */
  public ReadBudget(long maxBytes, Runnable wakeLoops) {
    this.maxBytes = maxBytes;
    this.shortage = new Shortage(wakeLoops);
  }

  /** Returns the shortage of read memory, because of which loops stop reading connections. */
  public Shortage shortage() {
    return shortage;
  }

  /** Adds bytes, or gives them back if negative. Never rejects. */
  public void add(long bytes) {
    usedBytes.addAndGet(bytes);
  }

  /**
   * Lets one connection at a time finish its frame beyond the budget. Otherwise many incomplete
   * frames could use up the budget, so that none of them would ever be finished.
   */
  public boolean tryExempt(Object connection) {
    return exempt.get() == connection || exempt.compareAndSet(null, connection);
  }

  /** Ends the exemption if the connection has it. */
  public void endExemption(Object connection) {
    if (exempt.get() == connection) {
      exempt.set(null);
    }
  }

  public boolean hasRoom() {
    return usedBytes.get() < maxBytes;
  }

  /** Reports whether a connection that waits for memory may continue. */
  public boolean hasTurn() {
    return hasRoom() || exempt.get() == null;
  }

  public long usedBytes() {
    return usedBytes.get();
  }
}
