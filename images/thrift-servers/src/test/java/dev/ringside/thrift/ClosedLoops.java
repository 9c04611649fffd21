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
 * Runs clients that each send a request, wait for the reply, pause and repeat, and measures the
 * latest reply. A reply is late by the time that it took beyond its handler's own time, which it
 * contains.
 *
 * <p>The pauses are long enough that a processor is mostly idle. On a busy processor, threads wait
 * for their turn, and this time does not depend on the server.
 */
final class ClosedLoops {
  /** The mean pause between two requests is this time multiplied by the number of clients. */
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

  /** Holds the results. */
  static final class Result {
    long requests;

    /** Delay of the latest reply in ns. */
    long worst;

    /** The same, counting at most the processors' idle time during the request. */
    long worstWhileIdle;

    /** Mean number of idle processors. */
    double idleProcessors;

    private void add(Result other) {
      requests += other.requests;
      worst = Math.max(worst, other.worst);
      worstWhileIdle = Math.max(worstWhileIdle, other.worstWhileIdle);
    }
  }

  /** Runs a number of clients, each of which calls the methods in its own random order. */
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
