package dev.ringside.load;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Loads several servers in turn (or two at once, in a duet), window by window, with the same warm
 * threads. Connections stay open, or are reopened between two windows, before each piece of the
 * schedule.
 */
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

  /** Runs the load to its end, writes the log and the summary, and prints one line per arm. */
  void run(PrintStream out) throws IOException, LoadFailedException, InterruptedException {
    try (WarmConnections connections =
            new WarmConnections(interleaving.arms(), orders, connector, err);
        HistogramLog log = new HistogramLog(orders.log());
        StoreCounters counters =
            new StoreCounters(interleaving.counters(), StoreCounters.PATIENCE_MILLIS, err);
        WindowThreads threads = new WindowThreads(clock, connections.byThread(), orders)) {
      for (Slot slot : interleaving.warmup()) {
        threads.run(begin(slot, interleaving.windowNanos()));
        connections.check();
        counters.read(); // so that the first measured window follows the usual pause
      }
      log.start(clock.nanoTime());
      ArmPods pods = new ArmPods(interleaving.arms(), interleaving.counters());
      WindowBook book = new WindowBook(log, operation, orders.targetRate() > 0, pods);
      long reopening = 0;
      List<List<Slot>> pieces = interleaving.pieces();
      for (List<Slot> piece : pieces) {
        if (piece != pieces.get(0)) {
          reopening += reopen(connections, threads);
        }
        measure(piece, connections, counters, threads, book);
      }
      book.writeSummary(orders.summary());
      if (pieces.size() > 1) {
        out.printf(
            "connections: opened again %d times in %d ms%n",
            pieces.size() - 1, TimeUnit.NANOSECONDS.toMillis(reopening));
      }
      book.tallies().forEach((label, tally) -> out.println(label + ": " + tally));
      if (!interleaving.counters().isEmpty()) {
        out.println("counters: " + counters);
      }
    }
  }

  private void measure(
      List<Slot> piece,
      WarmConnections connections,
      StoreCounters counters,
      WindowThreads threads,
      WindowBook book)
      throws LoadFailedException, InterruptedException {
    // There is one reading between two windows, right before the second. Work that a window leaves
    // for the store, such as the answer of the third replica at QUORUM, is counted in that window
    // and not in the next.
    Reading before = counters.read();
    for (Slot slot : piece) {
      if (interleaving.leadInNanos() > 0) {
        threads.run(begin(slot, interleaving.leadInNanos()));
        before = counters.read();
      }
      Window window = begin(slot, interleaving.windowNanos());
      threads.run(window);
      book.add(window, threads);
      connections.check();
      Reading after = counters.read();
      if (!interleaving.counters().isEmpty()) {
        book.addCounters(window, before, after);
      }
      before = after;
    }
  }

  /**
   * Reopens all connections between two windows, so that no window pays for it. Returns the
   * duration in nanoseconds.
   */
  private long reopen(WarmConnections connections, WindowThreads threads)
      throws LoadFailedException, InterruptedException {
    long begin = clock.nanoTime();
    connections.reopen();
    threads.greet();
    connections.check();
    return clock.nanoTime() - begin;
  }

  private Window begin(Slot slot, long length) {
    return Window.beginning(
        clock, slot, length, orders.targetRate(), orders.batch(), orders.patienceNanos());
  }
}
