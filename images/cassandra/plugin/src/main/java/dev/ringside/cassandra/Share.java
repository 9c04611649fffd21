package dev.ringside.cassandra;

import java.math.BigDecimal;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A share of calls, picked by counting: of any row of n calls n times the share, one call more or
 * less, as evenly as whole numbers can. One counter for all threads, and no lock.
 */
final class Share {
  static final Share NONE = new Share(0);

  private static final int DIGITS = 6;
  private static final long WHOLE = 1_000_000;

  private final long parts;
  private final AtomicLong calls = new AtomicLong();

  private Share(long parts) {
    this.parts = parts;
  }

  /**
   * The share that a text such as 0.05 names.
   *
   * @throws IllegalArgumentException whose message says what it may be
   */
  static Share of(String text) {
    try {
      return of(new BigDecimal(text).movePointRight(DIGITS).longValueExact());
    } catch (ArithmeticException | NumberFormatException e) {
      throw new IllegalArgumentException(needed(), e);
    }
  }

  private static Share of(long parts) {
    if (parts < 0 || parts > WHOLE) {
      throw new IllegalArgumentException(needed());
    }
    return new Share(parts);
  }

  private static String needed() {
    return "a share from 0 to 1 with at most " + DIGITS + " decimals, as in 0.05";
  }

  boolean isNone() {
    return parts == 0;
  }

  /** Counts a call, and says whether it is one of the share. */
  boolean picksNext() {
    long before = calls.getAndIncrement() % WHOLE;
    return (before + 1) * parts / WHOLE > before * parts / WHOLE;
  }

  /** As it was written, without zeros at the end. */
  @Override
  public String toString() {
    return BigDecimal.valueOf(parts, DIGITS).stripTrailingZeros().toPlainString();
  }
}
