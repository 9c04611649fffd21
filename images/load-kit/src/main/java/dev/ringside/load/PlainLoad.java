package dev.ringside.load;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A phase of one server, bounded by operations or by time. Operations are numbered over all
 * threads, so that a phase that walks through its keys touches each once, however fast its threads
 * are.
 */
final class PlainLoad {
  private final CommonOrders orders;
  private final String operation;
  private final Connector connector;
  private final Tally tally = new Tally();
  private final ArmConnections all;
  private final Arm arm;
  private final Clock clock;
  private final AtomicLong sequence = new AtomicLong();
  private final AtomicReference<Throwable> fatal = new AtomicReference<>();
  // Written before the threads go.
  private long startNanos;

  PlainLoad(
      CommonOrders orders, String operation, Connector connector, PrintStream err, Clock clock) {
    this.orders = orders;
    this.operation = operation;
    this.connector = connector;
    this.clock = clock;
    arm = new Arm("", orders.endpoints());
    all = new ArmConnections(arm, err);
  }

  /** Drives the load to its end, writes log and summary, and says in a line what was done. */
  void run(PrintStream out) throws IOException, LoadFailedException, InterruptedException {
    List<ArmConnection> connections = new ArrayList<>();
    try {
      for (int thread = 0; thread < orders.threads(); thread++) {
        Endpoint endpoint = arm.endpointOf(thread);
        connections.add(new ArmConnection(connector, all, endpoint, thread, sequence));
      }
      boolean scheduled = orders.targetRate() > 0;
      try (LoadLog log = new LoadLog(orders.log(), orders.intervalMillis(), scheduled)) {
        drive(connections, log, log.channel(operation));
      }
    } finally {
      connections.forEach(ArmConnection::close);
    }
    all.check();
    if (fatal.get() != null) {
      throw new LoadFailedException("a thread of the load failed: " + fatal, fatal.get());
    }
    Summary.write(orders.summary(), tally);
    out.println(tally);
  }

  private void drive(List<ArmConnection> connections, LoadLog log, LoadLog.Channel channel)
      throws IOException, LoadFailedException, InterruptedException {
    Start start = new Start(connections.size());
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < connections.size(); i++) {
      Pace pace = new Pace(orders.targetRate(), i, connections.size());
      ArmConnection connection = connections.get(i);
      Thread thread =
          new Thread(
              () -> {
                try {
                  start.await();
                  work(connection, pace, channel);
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
    startNanos = clock.nanoTime();
    start.go();
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private void work(ArmConnection connection, Pace pace, LoadLog.Channel channel) {
    long end =
        orders.seconds() > 0
            ? startNanos + TimeUnit.SECONDS.toNanos(orders.seconds())
            : Long.MAX_VALUE;
    for (long mine = 0; connection.open(); mine++) {
      long due = startNanos + pace.due(mine);
      if (pace.scheduled()) {
        if (due >= end) {
          return;
        }
        clock.sleepUntil(due);
      }
      long began = clock.nanoTime();
      if (began >= end) {
        return;
      }
      long number = sequence.getAndIncrement();
      if (orders.operations() > 0 && number >= orders.operations()) {
        return;
      }
      Outcome outcome = connection.operate(number);
      if (outcome == null) {
        tally.failed("");
        continue;
      }
      if (outcome.isAnswered()) {
        channel.record(began, clock.nanoTime(), pace.scheduled() ? due : began);
      }
      tally.ended(outcome, 1);
    }
  }
}
