package dev.ringside.load;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A phase on one server, bounded by operations or by time. Operations are numbered over all
 * threads, so that a phase that walks through its keys touches each key once, however fast single
 * threads are.
 */
final class PlainLoad {
  private final CommonOrders orders;
  private final String operation;
  private final Connector connector;
  private final PrintStream err;
  private final Tally tally = new Tally();
  private final Clock clock;
  private final AtomicReference<Throwable> fatal = new AtomicReference<>();
  // Written before start.go().
  private List<Agenda> agendas;

  PlainLoad(
      CommonOrders orders, String operation, Connector connector, PrintStream err, Clock clock) {
    this.orders = orders;
    this.operation = operation;
    this.connector = connector;
    this.err = err;
    this.clock = clock;
  }

  /** Runs the load to its end, writes the log and the summary, and prints a line. */
  void run(PrintStream out) throws IOException, LoadFailedException, InterruptedException {
    List<Arm> server = Collections.singletonList(new Arm("", orders.endpoints()));
    try (WarmConnections connections = new WarmConnections(server, orders, connector, err)) {
      boolean scheduled = orders.targetRate() > 0;
      try (LoadLog log = new LoadLog(orders.log(), orders.intervalMillis(), scheduled)) {
        drive(connections, log, log.channel(operation, orders.batch()));
      }
      connections.check();
    }
    if (fatal.get() != null) {
      throw new LoadFailedException("a thread of the load failed: " + fatal, fatal.get());
    }
    Summary.write(orders.summary(), tally);
    out.println(tally);
  }

  private void drive(WarmConnections connections, LoadLog log, LoadLog.Channel channel)
      throws IOException, LoadFailedException, InterruptedException {
    Start start = new Start(orders.threads());
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < orders.threads(); i++) {
      int number = i;
      Rotation connection = connections.byThread().get(i).get(0);
      Thread thread =
          new Thread(
              () -> {
                try {
                  start.await();
                  LoadLoop.run(clock, agendas.get(number), connection, new PhaseTimes(channel));
                } catch (InterruptedException | RuntimeException | Error e) {
                  fatal.compareAndSet(null, e);
                }
              },
              "load-" + i);
      thread.setDaemon(true);
      threads.add(thread);
    }
    threads.forEach(Thread::start);
    start.awaitAll();
    orders.start().await();
    log.start();
    agendas = agendas(clock.nanoTime());
    start.go();
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /**
   * Returns the agenda of each thread. Normally all threads share one: the thread that has been
   * free longest does what is due next.
   *
   * <p>Where nodes of the store are lost, each thread is a client with its own agenda at a constant
   * rate. What is due on the connection to a silent server waits for that connection, and that wait
   * is the cost of the loss. Free threads that took it over would hide the loss.
   */
  private List<Agenda> agendas(long startNanos) {
    int threads = orders.threads();
    boolean own = orders.failsOver() && orders.targetRate() > 0;
    List<Agenda> out = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      out.add(i > 0 && !own ? out.get(0) : agenda(startNanos, i, own ? threads : 1));
    }
    return out;
  }

  /**
   * Returns an agenda. In a phase bounded by time, operations that were due within it may begin
   * after its end; in a phase bounded by operations, all are done.
   */
  private Agenda agenda(long startNanos, int number, int of) {
    Pace pace = new Pace(orders.targetRate(), orders.batch(), number, of);
    if (orders.operations() > 0) {
      long batches = orders.operations() / orders.batch();
      return Agenda.of(pace, batches / of + (number < batches % of ? 1 : 0), startNanos);
    }
    long endNanos = startNanos + TimeUnit.SECONDS.toNanos(orders.seconds());
    return Agenda.until(pace, startNanos, endNanos, orders.patienceNanos());
  }

  /** Records the times of the phase. Safe for any number of threads. */
  private final class PhaseTimes implements LoadLoop.Book {
    private final LoadLog.Channel channel;

    PhaseTimes(LoadLog.Channel channel) {
      this.channel = channel;
    }

    @Override
    public void ended(Outcome outcome, long due, long began, long ended) {
      if (outcome.isAnswered()) {
        channel.record(began, ended, due);
      } else if (outcome.error() != null) {
        channel.failed(began, ended, due, orders.patienceNanos());
      }
      tally.ended(outcome, orders.batch());
    }

    @Override
    public void givenUp() {
      tally.notBegun(orders.batch());
    }
  }
}
