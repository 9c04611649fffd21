package dev.ringside.load;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Searches for the highest rate at which a server meets an objective, in one process and on warm
 * connections. Each of several servers has its own search. The searches take their steps in turn,
 * in a random order that changes with each turn, so that a disturbance of the machine affects all
 * servers alike.
 */
final class CapacityLoad {
  private final CommonOrders orders;
  private final String operation;
  private final Connector connector;
  private final PrintStream err;
  private final Clock clock;
  private final List<Arm> arms;
  private final ArmPods pods;
  private final Random random;
  private final List<Search> searches = new ArrayList<>();

  CapacityLoad(
      CommonOrders orders, String operation, Connector connector, PrintStream err, Clock clock) {
    this.orders = orders;
    this.operation = operation;
    this.connector = connector;
    this.err = err;
    this.clock = clock;
    Interleaving interleaving = orders.interleaving();
    arms =
        interleaving == null
            ? Collections.singletonList(new Arm("", orders.endpoints()))
            : interleaving.arms();
    pods = new ArmPods(arms, orders.search().counters());
    long budget = TimeUnit.SECONDS.toNanos(orders.seconds()) / arms.size();
    random = new Random(orders.seed());
    arms.forEach(arm -> searches.add(new Search(arm.name(), orders.search(), random, budget)));
  }

  /** Runs the searches to their end, writes the log and the summary, and prints the results. */
  void run(PrintStream out) throws IOException, LoadFailedException, InterruptedException {
    try (WarmConnections connections = new WarmConnections(arms, orders, connector, err);
        HistogramLog log = new HistogramLog(orders.log());
        QueueWatch queue = watch();
        WindowThreads threads = new WindowThreads(clock, connections.byThread(), orders)) {
      warmUp(threads);
      log.start(clock.nanoTime());
      for (List<Integer> turn = turn(); !turn.isEmpty(); turn = turn()) {
        for (int arm : turn) {
          step(arm, connections.sequence(arm), threads, queue, log);
          connections.check();
        }
      }
    }
    Summary.write(orders.summary(), searches);
    searches.forEach(out::println);
  }

  private void warmUp(WindowThreads threads) throws LoadFailedException, InterruptedException {
    if (orders.interleaving() == null) {
      return;
    }
    for (Slot slot : orders.interleaving().warmup()) {
      threads.run(window(slot, orders.interleaving().windowNanos(), orders.search().from()));
    }
  }

  /** Returns the arms with unfinished searches, in random order. */
  private List<Integer> turn() {
    List<Integer> going = new ArrayList<>();
    for (int arm = 0; arm < arms.size(); arm++) {
      if (searches.get(arm).next() > 0) {
        going.add(arm);
      }
    }
    Collections.shuffle(going, random);
    return going;
  }

  private QueueWatch watch() throws IOException {
    StoreCounters counters =
        new StoreCounters(orders.search().counters(), StoreCounters.PATIENCE_MILLIS, err);
    return new QueueWatch(clock, orders.search().queue(), counters, orders.batch());
  }

  private void step(
      int arm, AtomicLong sequence, WindowThreads threads, QueueWatch queue, HistogramLog log)
      throws LoadFailedException, InterruptedException {
    Search search = searches.get(arm);
    int rate = search.next();
    Slot slot = new Slot(Collections.singletonList(new Side(arm, search.label())));
    long length = orders.search().stepNanos(rate);
    Window window = window(slot, length, rate);
    queue.begin(window, rate, sequence, pods.of(slot.sides()));
    threads.run(window);
    long took = clock.nanoTime() - window.start();
    QueueTrend trend = QueueTrend.of(queue.end(), length);
    List<String> tags = LatencyTags.of(tag(search), true);
    WindowSum sum = new WindowSum(window, 0, threads, tags.size());
    sum.write(log, tags, window.start());
    log.flush();
    long asked = orders.search().stepOperations(rate);
    search.add(rate, new StepResult(asked, length, sum, trend), took);
  }

  /** Returns the log tag of the next step: the operation and the step's number, from 1. */
  private String tag(Search search) {
    String step = operation + "@" + (search.steps() + 1);
    return search.label().isEmpty() ? step : search.label() + "/" + step;
  }

  /**
   * Returns a window that begins now. Its patience is its length: a server that is further behind
   * at the end does not meet the objective anyway (see {@link Delivery}).
   */
  private Window window(Slot slot, long length, int rate) {
    return Window.beginning(clock, slot, length, rate, orders.batch(), length);
  }
}
