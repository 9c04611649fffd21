package dev.ringside.ycsb;

import dev.ringside.load.CommonOrders;
import dev.ringside.load.Endpoint;
import dev.ringside.load.ErrorKind;
import dev.ringside.load.LoadFailedException;
import dev.ringside.load.LoadLog;
import dev.ringside.load.Start;
import dev.ringside.load.Summary;
import dev.ringside.load.Tally;
import dev.ringside.stub.KeyValueClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.thrift.TException;
import site.ycsb.ClientThread;
import site.ycsb.Workload;
import site.ycsb.WorkloadException;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

/**
 * Runs YCSB's core workload on YCSB's client threads. All threads are connected before the first
 * operation, at which the log begins.
 */
final class Load {
  private static final double MILLIS_PER_SECOND = 1000;

  private final Orders orders;
  private final Tally tally = new Tally();

  Load(Orders orders) {
    this.orders = orders;
  }

  Tally tally() {
    return tally;
  }

  /**
   * Runs the load to its end and writes log and summary.
   *
   * @throws TException if a server cannot be reached at the start
   * @throws LoadFailedException if the pods have no common start
   */
  void run()
      throws TException, IOException, WorkloadException, LoadFailedException, InterruptedException {
    Properties properties = orders.properties();
    Measurements.setProperties(properties);
    Workload workload = new CoreWorkload();
    workload.init(properties);
    CommonOrders common = orders.common();
    Start start = new Start(common.threads());
    try (LoadLog log =
        new LoadLog(common.log(), common.intervalMillis(), common.targetRate() > 0)) {
      List<Thread> threads = threads(workload, properties, start, new Times(log));
      threads.forEach(Thread::start);
      start.awaitAll();
      common.start().await();
      log.start();
      start.go();
      awaitEnd(threads, workload);
    }
    workload.cleanup();
    Summary.write(common.summary(), tally);
  }

  /**
   * Waits for the end of the phase. At a constant rate, YCSB's threads end after all operations
   * that were due, even if late. A stop at the end of the phase would omit the operations that a
   * stalled server delayed.
   */
  private void awaitEnd(List<Thread> threads, Workload workload) throws InterruptedException {
    CommonOrders common = orders.common();
    if (orders.dueInTime() > 0) {
      long lasts = TimeUnit.SECONDS.toNanos(common.seconds()) + common.patienceNanos();
      long end = System.nanoTime() + lasts;
      for (Thread thread : threads) {
        TimeUnit.NANOSECONDS.timedJoin(thread, end - System.nanoTime());
      }
      workload.requestStop();
    } else if (common.seconds() > 0) {
      TimeUnit.SECONDS.sleep(common.seconds());
      workload.requestStop();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    tally.notBegun(Math.max(0, orders.dueInTime() - tally.answered() - tally.failed()));
  }

  private List<Thread> threads(Workload workload, Properties properties, Start start, Times times)
      throws TException {
    CommonOrders common = orders.common();
    double ratePerMilli = common.targetRate() / MILLIS_PER_SECOND / common.threads();
    List<Thread> threads = new ArrayList<>();
    CountDownLatch complete = new CountDownLatch(common.threads());
    for (int i = 0; i < common.threads(); i++) {
      Endpoint endpoint = common.endpoints().get(i % common.endpoints().size());
      KeyValueClient client = StubBinding.connect(endpoint, orders);
      ClientThread thread =
          new ClientThread(
              new StubBinding(client, endpoint, orders, times, tally, start),
              !orders.inserting(),
              workload,
              properties,
              orders.operationsOf(i),
              ratePerMilli,
              complete);
      thread.setThreadId(i);
      thread.setThreadCount(common.threads());
      Thread named = new Thread(thread, "load-" + i);
      // Reports a thread that dies of an exception that YCSB does not catch.
      named.setUncaughtExceptionHandler(
          (which, e) -> tally.failed(ErrorKind.of(e), which.getName() + ": " + e));
      threads.add(named);
    }
    return threads;
  }
}
