package dev.ringside.load;

import java.io.IOException;
import java.io.PrintStream;

/** Windows of several servers in turn (or two side by side) by the same warm threads. */
final class InterleavedLoad {
  private final CommonOrders orders;
  private final Interleaving interleaving;
  private final String operation;
  private final Connector connector;
  private final PrintStream err;
  private final Clock clock;

  InterleavedLoad(
      CommonOrders orders, String operation, Connector connector, PrintStream err, Clock clock) {
    this.orders = orders;
    interleaving = orders.interleaving();
    this.operation = operation;
    this.connector = connector;
    this.err = err;
    this.clock = clock;
  }

  /**
   * Drives the load to its end, writes log and summary, and says in a line per arm what was done.
   */
  void run(PrintStream out) throws IOException, LoadFailedException, InterruptedException {
    try (WarmConnections connections =
            new WarmConnections(interleaving.arms(), orders, connector, err);
        HistogramLog log = new HistogramLog(orders.log());
        StoreCounters counters =
            new StoreCounters(interleaving.counters(), StoreCounters.PATIENCE_MILLIS, err);
        WindowThreads threads = new WindowThreads(clock, connections.byThread(), orders.batch())) {
      for (Slot slot : interleaving.warmup()) {
        threads.run(begin(slot));
        connections.check();
        counters.read(); // or the first window that counts would follow another kind of pause
      }
      log.start(clock.nanoTime());
      WindowBook book = new WindowBook(log, operation, orders.targetRate() > 0);
      // One reading between two windows, right before the next: what a window leaves behind for the
      // store to do, as the third copy's answer at QUORUM, counts in it and not in its neighbour.
      Reading before = counters.read();
      for (Slot slot : interleaving.measured()) {
        Window window = begin(slot);
        threads.run(window);
        book.add(window, threads);
        connections.check();
        Reading after = counters.read();
        if (!interleaving.counters().isEmpty()) {
          book.addCounters(window, after.since(before));
        }
        before = after;
      }
      book.writeSummary(orders.summary());
      book.tallies().forEach((label, tally) -> out.println(label + ": " + tally));
      if (!interleaving.counters().isEmpty()) {
        out.println("counters: " + counters);
      }
    }
  }

  private Window begin(Slot slot) {
    return Window.beginning(clock, slot, interleaving.windowNanos(), orders.targetRate());
  }
}
