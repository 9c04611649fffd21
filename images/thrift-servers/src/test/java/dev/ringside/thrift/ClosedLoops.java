package dev.ringside.thrift;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Clients that each ask, wait for the reply, pause and ask again, and how late the latest reply
 * was. A reply is late by what it took beyond its handler's own time, which it carries.
 *
 * <p>They pause for as long as it takes to leave a processor idle mostly: on one that is always
 * busy a thread waits for its turn, and how long says nothing about the server.
 */
final class ClosedLoops {
  /** The mean pause between two requests is that, times the number of clients. */
  private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  private final RunningServer server;
  private final List<String> methods;
  private final long endNanos;
  private final IdleTime idle;

  private ClosedLoops(RunningServer server, List<String> methods, long endNanos, IdleTime idle) {
    this.server = server;
    this.methods = methods;
    this.endNanos = endNanos;
    this.idle = idle;
  }

  /** What came of it. */
  static final class Result {
    long requests;

    /** By how much the latest reply was late. */
    long worst;

    /** The same, where no more counts than processors were idle for meanwhile. */
    long worstWhileIdle;

    /** How many processors were idle on average. */
    double idleProcessors;

    private void add(Result other) {
      requests += other.requests;
      worst = Math.max(worst, other.worst);
      worstWhileIdle = Math.max(worstWhileIdle, other.worstWhileIdle);
    }
  }

  /** Has that many clients call those methods, in an order of each one's own. */
  static Result run(RunningServer server, int clients, List<String> methods, long nanos)
      throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(clients);
    try (IdleTime idle = new IdleTime()) {
      long began = System.nanoTime();
      long idleBegan = idle.nanos();
      ClosedLoops loops = new ClosedLoops(server, methods, began + nanos, idle);
      List<Callable<Result>> work = new ArrayList<>();
      for (int i = 0; i < clients; i++) {
        Random random = new Random(i);
        work.add(() -> loops.one(random, 2 * PAUSE_NANOS * clients));
      }
      Result all = new Result();
      for (Future<Result> one : pool.invokeAll(work)) {
        all.add(one.get());
      }
      all.idleProcessors = (double) (idle.nanos() - idleBegan) / (System.nanoTime() - began);
      return all;
    } finally {
      pool.shutdownNow();
    }
  }

  private Result one(Random random, long maxPauseNanos) throws Exception {
    Result result = new Result();
    try (Client client = server.connect()) {
      while (System.nanoTime() < endNanos) {
        String method = methods.get(random.nextInt(methods.size()));
        long idleBegan = idle.nanos();
        long began = System.nanoTime();
        byte[] reply = client.call(method, new byte[0]);
        long took = System.nanoTime() - began;
        long late = took - ByteBuffer.wrap(reply).getLong();
        result.requests++;
        result.worst = Math.max(result.worst, late);
        result.worstWhileIdle =
            Math.max(result.worstWhileIdle, Math.min(late, idle.nanos() - idleBegan));
        LockSupport.parkNanos((long) (random.nextDouble() * maxPauseNanos));
      }
    }
    return result;
  }
}
