package dev.ringside.cassandra;

import java.math.BigDecimal;

/** A share from 0 to 1, exact to one millionth. */
final class Share {
  static final Share NONE = new Share(0);

  private static final int DIGITS = 6;
  private static final long WHOLE = 1_000_000;

  private final long parts;

  private Share(long parts) {
    this.parts = parts;
  }

  /**
   * Parses a share, such as 0.05.
   *
   * @throws IllegalArgumentException with the values that are allowed as message
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

  /** Returns the share of an amount, rounded down. The amount times a million must fit a long. */
  long of(long amount) {
    return amount * parts / WHOLE;
  }

  /** Returns the share as a decimal number without trailing zeros. */
  @Override
  public String toString() {
    return BigDecimal.valueOf(parts, DIGITS).stripTrailingZeros().toPlainString();
  }
}
