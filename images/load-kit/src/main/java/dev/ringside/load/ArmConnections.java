package dev.ringside.load;

import java.io.PrintStream;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the open connections to one arm, and prints the first failures. Safe for any number of
 * threads.
 */
final class ArmConnections {
  /** Limits the output: after a server dies, every operation fails. */
  private static final int SHOWN_FAULTS = 20;

  private final Arm arm;
  private final PrintStream err;
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger faults = new AtomicInteger();

  ArmConnections(Arm arm, PrintStream err) {
    this.arm = arm;
    this.err = err;
  }

  /** Returns the endpoint to use after a server at the given endpoint was lost. */
  Endpoint endpointAfter(Endpoint endpoint) {
    return arm.endpointAfter(endpoint);
  }

  void opened() {
    open.incrementAndGet();
  }

  void ended() {
    open.decrementAndGet();
  }

  void failed(Endpoint endpoint, Exception fault) {
    int number = faults.incrementAndGet();
    if (number == SHOWN_FAULTS) {
      err.println("/load: further faults of this kind are counted, not shown");
    }
    if (number <= SHOWN_FAULTS) { // the last line is in the measurement
      err.println(where(endpoint) + ": " + fault);
    }
  }

  private String where(Endpoint endpoint) {
    return "/load: " + (arm.name().isEmpty() ? "" : arm.name() + " at ") + endpoint;
  }

  /**
   * Verifies that at least one connection is open.
   *
   * @throws LoadFailedException if all connections to the arm are closed
   */
  void check() throws LoadFailedException {
    if (open.get() == 0) {
      throw new LoadFailedException(
          "all connections to "
              + (arm.name().isEmpty() ? "the server" : arm.name())
              + " are gone: look at the first fault above");
    }
  }
}
