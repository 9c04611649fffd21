package dev.ringside.load;

import java.io.IOException;
import java.io.PrintStream;

/** A load of one kind of operation, on one server or on several in turn. */
public final class Load {
  private Load() {}

  /**
   * Drives it to its end and writes log and summary.
   *
   * @param operation its name in the log's tags
   * @param out for what was done
   * @param err for what failed
   * @throws LoadFailedException if a server cannot be reached, or is lost
   */
  public static void run(
      CommonOrders orders, String operation, Connector connector, PrintStream out, PrintStream err)
      throws IOException, LoadFailedException, InterruptedException {
    run(orders, operation, connector, out, err, Clock.SYSTEM);
  }

  /** By another clock. */
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
