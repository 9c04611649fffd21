package dev.ringside.thrift;

import java.util.Arrays;

/**
 * What is known of one method: does it return at once, or does it block? Decides whether its next
 * request runs where its bytes were read or is handed off.
 *
 * <p>A method begins as a quick one. It is handed off once its calls take longer than the limit on
 * average, or once a call was caught blocking. It is tried inline again after a number of
 * well-behaved calls that doubles each time it is caught, so that a method with few slow calls
 * among many quick ones stays handed off.
 *
 * <p>Many threads record at once and without locks: a lost update only delays a decision.
 */
final class MethodHabits {
  private static final int MIN_PROBATION = 256;
  private static final int MAX_PROBATION = 1 << 16;

  /**
   * One call counts as at most this many limits, so that one pause of the machine decides nothing.
   */
  private static final int MAX_WEIGHT = 8;

  /** A handed-off call that takes this many limits begins the probation again. */
  private static final int SLOW = 4;

  private final byte[] name;
  private final int hash;
  private final long limitNanos;
  private long meanNanos;
  private int probation;
  private int probationLength = MIN_PROBATION;
  private volatile boolean handOff;

  MethodHabits(byte[] name, int hash, long limitNanos) {
    this.name = name;
    this.hash = hash;
    this.limitNanos = limitNanos;
  }

  /** Whether the next call should be handed off. */
  boolean handOff() {
    return handOff;
  }

  /** Average of the last calls, in ns. */
  long meanNanos() {
    return meanNanos;
  }

  /** Records a call that ran on the thread that reads. */
  void ranInline(long nanos) {
    average(nanos);
    if (meanNanos > limitNanos) {
      probation = MIN_PROBATION;
      handOff = true;
    }
  }

  /** Records a call that was handed off. */
  void ranHandedOff(long nanos) {
    average(nanos);
    if (nanos > SLOW * limitNanos) {
      probation = probationLength;
    } else if (--probation <= 0 && meanNanos < limitNanos / 2) {
      handOff = false;
    }
  }

  /** Records that a call that ran on the thread that reads was found blocking there. */
  void caughtBlocking() {
    if (!handOff) {
      probation = probationLength;
      probationLength = Math.min(MAX_PROBATION, 2 * probationLength);
      handOff = true;
    }
  }

  boolean matches(byte[] bytes, int from, int to) {
    int length = to - from;
    if (length != name.length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (name[i] != bytes[from + i]) {
        return false;
      }
    }
    return true;
  }

  boolean matches(int otherHash, byte[] bytes, int from, int to) {
    return hash == otherHash && matches(bytes, from, to);
  }

  private void average(long nanos) {
    long counted = Math.min(nanos, MAX_WEIGHT * limitNanos);
    meanNanos += (counted - meanNanos) / 16;
  }

  @Override
  public String toString() {
    return new String(name, java.nio.charset.StandardCharsets.UTF_8)
        + (handOff ? " handed off, " : " inline, ")
        + meanNanos
        + " ns";
  }

  static byte[] copyOfName(byte[] bytes, int from, int to) {
    return Arrays.copyOfRange(bytes, from, to);
  }
}
