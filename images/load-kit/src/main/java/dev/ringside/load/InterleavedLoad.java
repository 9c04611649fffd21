package dev.ringside.load;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Windows of several servers in turn (or two side by side) by the same warm threads. */
final class InterleavedLoad {
  /** At a constant rate all threads are awake before the first operation is due. */
  private static final long LEAD_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

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
    List<ArmConnections> arms = new ArrayList<>();
    interleaving.arms().forEach(arm -> arms.add(new ArmConnections(arm, err)));
    List<List<ArmConnection>> connections = new ArrayList<>();
    try {
      connect(arms, connections);
      boolean scheduled = orders.targetRate() > 0;
      try (HistogramLog log = new HistogramLog(orders.log());
          StoreCounters counters =
              new StoreCounters(interleaving.counters(), StoreCounters.PATIENCE_MILLIS, err);
          WindowThreads threads = new WindowThreads(clock, connections, orders.targetRate())) {
        for (Slot slot : interleaving.warmup()) {
          threads.run(begin(slot));
          check(arms);
          counters.read(); // or the first window that counts would follow another kind of pause
        }
        log.start(clock.nanoTime());
        WindowBook book = new WindowBook(log, operation, scheduled);
        // One reading between two windows, right before the next: what a window leaves behind for
        // the
        // store to do, as the third copy's answer at QUORUM, counts in it and not in its neighbour.
        Reading before = counters.read();
        for (Slot slot : interleaving.measured()) {
          Window window = begin(slot);
          threads.run(window);
          book.add(window, threads);
          check(arms);
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
    } finally {
      connections.forEach(each -> each.forEach(ArmConnection::close));
    }
  }

  private void connect(List<ArmConnections> arms, List<List<ArmConnection>> connections)
      throws LoadFailedException {
    AtomicLong sequence = new AtomicLong();
    for (int thread = 0; thread < orders.threads(); thread++) {
      List<ArmConnection> mine = new ArrayList<>();
      connections.add(mine);
      for (int arm = 0; arm < arms.size(); arm++) {
        Endpoint endpoint = interleaving.arms().get(arm).endpointOf(thread);
        mine.add(new ArmConnection(connector, arms.get(arm), endpoint, thread, sequence));
      }
    }
  }

  private Window begin(Slot slot) {
    long start = clock.nanoTime() + (orders.targetRate() > 0 ? LEAD_NANOS : 0);
    return new Window(slot, start, start + interleaving.windowNanos());
  }

  private static void check(List<ArmConnections> arms) throws LoadFailedException {
    for (ArmConnections arm : arms) {
      arm.check();
    }
  }
}
