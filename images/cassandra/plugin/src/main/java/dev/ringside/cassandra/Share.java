package dev.ringside.cassandra;

import java.math.BigDecimal;

/** A share from 0 to 1, exact to a millionth. */
final class Share {
  static final Share NONE = new Share(0);

  private static final int DIGITS = 6;
  private static final long WHOLE = 1_000_000;

  private final long parts;

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
      return ofParts(new BigDecimal(text).movePointRight(DIGITS).longValueExact());
    } catch (ArithmeticException | NumberFormatException e) {
      throw new IllegalArgumentException(needed(), e);
    }
  }

  private static Share ofParts(long parts) {
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

  /** So much of an amount that times a million is a long, rounded down. */
  long of(long amount) {
    return amount * parts / WHOLE;
  }

  /** As it was written, without zeros at the end. */
  @Override
  public String toString() {
    return BigDecimal.valueOf(parts, DIGITS).stripTrailingZeros().toPlainString();
  }
}
