package dev.ringside.load;

import java.io.IOException;
import java.io.PrintStream;

/** A load of one kind of operation, on one server or on several in turn. */
public final class Load {
  private Load() {}

  /**
   * Runs the load to its end and writes the log and the summary.
   *
   * @param operation the operation's name in the log's tags
   * @param out receives what was done
   * @param err receives failures
   * @throws LoadFailedException if a server cannot be reached or all connections to it are lost
   */
  public static void run(
      CommonOrders orders, String operation, Connector connector, PrintStream out, PrintStream err)
      throws IOException, LoadFailedException, InterruptedException {
    run(orders, operation, connector, out, err, Clock.SYSTEM);
  }

  /** Runs the load with another clock. */
  static void run(
      CommonOrders orders,
      String operation,
      Connector connector,
      PrintStream out,
      PrintStream err,
      Clock clock)
      throws IOException, LoadFailedException, InterruptedException {
    if (orders.search() != null) {
      new CapacityLoad(orders, operation, connector, err, clock).run(out);
    } else if (orders.interleaving() == null) {
      new PlainLoad(orders, operation, connector, err, clock).run(out);
    } else {
      new InterleavedLoad(orders, operation, connector, err, clock).run(out);
    }
  }
}
