package dev.ringside.thrift;

/**
 * Holds the counts of one method at the time of the call to {@link TDisruptorServer#methodMetrics}.
 * All are totals since the start of the server. Immutable.
 */
public final class MethodMetrics {
  /** The name under which all calls without an entry of their own are counted. */
  public static final String OTHERS = "(others)";

  private final String name;
  private final long calls;
  private final long exceptions;
  private final long failures;
  private final long nanos;

  MethodMetrics(String name, long calls, long exceptions, long failures, long nanos) {
    this.name = name;
    this.calls = calls;
    this.exceptions = exceptions;
    this.failures = failures;
    this.nanos = nanos;
  }

  /** Returns the sum of both. */
  MethodMetrics plus(MethodMetrics other) {
    return new MethodMetrics(
        name,
        calls + other.calls,
        exceptions + other.exceptions,
        failures + other.failures,
        nanos + other.nanos);
  }

  /**
   * Returns the method's name as clients send it, {@code service:method} if multiplexed. It may be
   * missing from the interface: calls of unknown methods are counted as failures.
   */
  public String getName() {
    return name;
  }

  /** Returns how many calls have run, including oneway calls, whatever their outcome. */
  public long getCalls() {
    return calls;
  }

  /**
   * Returns how many calls were answered with an exception that the interface declares. Counted for
   * the binary and the compact protocol with transport factories that do no more than framing;
   * always 0 otherwise.
   */
  public long getExceptions() {
    return exceptions;
  }

  /**
   * Returns how many calls could not be decoded, or ended with an exception that the interface does
   * not declare. Those that the processor answers by itself are counted under the same conditions
   * as {@link #getExceptions}.
   */
  public long getFailures() {
    return failures;
  }

  /** Returns the time spent in the processor, in ns, including encoding and decoding. */
  public long getNanos() {
    return nanos;
  }

  @Override
  public String toString() {
    return name
        + ": "
        + calls
        + " calls, "
        + exceptions
        + " exceptions, "
        + failures
        + " failures, "
        + nanos
        + " ns";
  }
}
