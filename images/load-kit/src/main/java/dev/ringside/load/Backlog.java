package dev.ringside.load;

/** The length of the queue at one moment of a step. */
final class Backlog {
  private final long nanos;
  private final double length;

  /**
   * Creates a sample.
   *
   * @param nanos time since the step began
   * @param length queue length, in operations
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
