package dev.ringside.ycsb;

import java.util.concurrent.atomic.AtomicBoolean;

/** {@code /load}: takes its orders from the environment and runs in the foreground. */
public final class LoadMain {
  private static final int BAD_ORDERS = 64;
  private static final int FAILED = 1;

  private LoadMain() {}

  /** Exit status: 0 done, 64 the orders make no sense, 1 the load failed. */
  public static void main(String[] args) {
    Orders orders;
    try {
      orders = Orders.of(System::getenv);
    } catch (IllegalArgumentException e) {
      System.err.println("/load: " + e.getMessage());
      System.exit(BAD_ORDERS);
      return;
    }
    AtomicBoolean done = new AtomicBoolean();
    // YCSB's threads end the process with status 0 when something goes wrong.
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  if (!done.get()) {
                    System.err.println("/load: ended before the load was done");
                    Runtime.getRuntime().halt(FAILED);
                  }
                }));
    try {
      Load load = new Load(orders);
      load.run();
      System.out.printf(
          "%d operations, %d errors%s%n",
          load.tally().answered(),
          load.tally().failed(),
          load.tally().failed() == 0 ? "" : ", the last: " + load.tally().lastFault());
      done.set(true);
    } catch (Exception e) {
      done.set(true);
      System.err.println("/load: " + e);
      System.exit(FAILED);
    }
  }
}
