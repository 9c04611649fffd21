package dev.ringside.load;

import java.io.PrintStream;
import java.util.concurrent.atomic.AtomicInteger;

/** What becomes of all connections to one arm. For any number of threads. */
final class ArmConnections {
  /** A server that died would fill the output with millions of lines. */
  private static final int SHOWN_FAULTS = 20;

  private final Arm arm;
  private final PrintStream err;
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger faults = new AtomicInteger();

  ArmConnections(Arm arm, PrintStream err) {
    this.arm = arm;
    this.err = err;
  }

  /** Where to go from a server that was lost. */
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
    if (number <= SHOWN_FAULTS) {
      err.println(where(endpoint) + ": " + fault);
    }
    if (number == SHOWN_FAULTS) {
      err.println("/load: more faults of this kind are counted, not shown");
    }
  }

  private String where(Endpoint endpoint) {
    return "/load: " + (arm.name().isEmpty() ? "" : arm.name() + " at ") + endpoint;
  }

  /**
   * Fails when there is nothing left to load.
   *
   * @throws LoadFailedException if all connections of the arm are gone
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
