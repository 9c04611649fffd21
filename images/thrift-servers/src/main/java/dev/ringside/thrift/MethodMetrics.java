package dev.ringside.thrift;

/**
 * What a server has counted of one method by the time it was asked; see {@link
 * TDisruptorServer#methodMetrics}. Totals from the start of the server.
 */
public final class MethodMetrics {
  /** The name under which calls are counted that have none of their own. */
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

  /** The two of them as one. */
  MethodMetrics plus(MethodMetrics other) {
    return new MethodMetrics(
        name,
        calls + other.calls,
        exceptions + other.exceptions,
        failures + other.failures,
        nanos + other.nanos);
  }

  /**
   * The name as clients send it, {@code service:method} if multiplexed. It need not be one of the
   * interface: calls of what there is not are counted too, as failures.
   */
  public String getName() {
    return name;
  }

  /** Calls that have been run, oneway or not, however they ended. */
  public long getCalls() {
    return calls;
  }

  /**
   * Calls answered with an exception that the interface declares: in binary and compact protocol,
   * behind transport factories that do no more than framing; others do not show it.
   */
  public long getExceptions() {
    return exceptions;
  }

  /**
   * Calls that were not understood, or whose handler threw what the interface does not declare. Of
   * those that the processor answers by itself, the same protocols show it.
   */
  public long getFailures() {
    return failures;
  }

  /** Time spent in the processor, encoding and decoding included, in ns. */
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
