package dev.ringside.load;

/** How long the queue was at a moment of a step. */
final class Backlog {
  private final long nanos;
  private final double length;

  /**
   * A sample.
   *
   * @param nanos since the step began
   * @param length in operations
   */
  Backlog(long nanos, double length) {
    this.nanos = nanos;
    this.length = length;
  }

  long nanos() {
    return nanos;
  }

  double length() {
    return length;
  }
}
