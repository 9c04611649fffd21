package dev.ringside.bench.handler;

import com.sun.management.ThreadMXBean;
import dev.ringside.bench.wire.Delay;
import dev.ringside.bench.wire.EchoFrame;
import dev.ringside.bench.wire.Handler;
import dev.ringside.cpu.CpuWork;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * Executes the orders of a Thrift server's process. {@code calibrate} returns the steps that take
 * 100 µs of work, {@code steps <n>} sets them. {@code peer <port>} sets the process that handlers
 * request. {@code processor <handler>} returns the bytes that the processor itself allocates in one
 * call, without the server.
 */
public final class ServerOrders implements UnaryOperator<String> {
  private static final int RUNS = 20_000;
  private static final int LARGE_RUNS = 20;
  private static final int LARGE_BYTES = 10_000;
  private static final int MICROS = 100;

  private final HandlerWork work;
  private final MemoryProcessor processor;

  /** Creates the orders of a server with a work and a processor. */
  public ServerOrders(HandlerWork work, MemoryProcessor processor) {
    this.work = work;
    this.processor = processor;
  }

  @Override
  public String apply(String order) {
    String[] words = order.split(" ");
    switch (words[0]) {
      case "calibrate":
        return Long.toString(CpuWork.ofMicros(MICROS).steps());
      case "steps":
        work.steps(Long.parseLong(words[1]));
        return "ok";
      case "peer":
        work.peer(Integer.parseInt(words[1]));
        return "ok";
      case "processor":
        try {
          return Long.toString(allocatedPerCall(Handler.of(words[1])));
        } catch (Exception e) {
          throw new IllegalStateException("the processor cannot answer", e);
        }
      default:
        return "unknown order " + order;
    }
  }

  private long allocatedPerCall(Handler handler) throws Exception {
    EchoFrame frame = new EchoFrame(handler);
    int runs = frame.bytes() < LARGE_BYTES ? RUNS : LARGE_RUNS;
    byte[] request = frame.request(1, Delay.NONE);
    byte[] body = Arrays.copyOfRange(request, Integer.BYTES, request.length);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
    // The least of many runs, which is the value after compilation.
    while (System.nanoTime() < end) {
      long sum = 0;
      for (int i = 0; i < runs; i++) {
        Callable<?> call = processor.prepare(body);
        long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
        call.call();
        sum += threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
      }
      least = Math.min(least, sum / runs);
    }
    return least;
  }
}
