package dev.ringside.bench.server;

import com.sun.management.ThreadMXBean;
import dev.ringside.bench.wire.Delay;
import dev.ringside.bench.wire.EchoFrame;
import dev.ringside.bench.wire.Handler;
import dev.ringside.cpu.CpuWork;
import java.io.ByteArrayInputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.transport.TIOStreamTransport;
import org.apache.thrift.transport.TMemoryBuffer;

/**
 * What a Thrift server's process is told beside requests: {@code calibrate} asks for the steps that
 * 100 µs of work take, {@code steps <n>} sets them, {@code processor} asks for the bytes that one
 * call allocates in the processor itself, whatever the server.
 */
public final class ServerOrders implements UnaryOperator<String> {
  private static final int RUNS = 20_000;
  private static final int MICROS = 100;

  private final EchoService service;

  /** Orders for the process that hosts this service. */
  public ServerOrders(EchoService service) {
    this.service = service;
  }

  @Override
  public String apply(String order) {
    String[] words = order.split(" ");
    switch (words[0]) {
      case "calibrate":
        return Long.toString(CpuWork.ofMicros(MICROS).steps());
      case "steps":
        service.work(CpuWork.ofSteps(Long.parseLong(words[1])));
        return "ok";
      case "processor":
        try {
          return Long.toString(allocatedPerCall());
        } catch (TException e) {
          throw new IllegalStateException("the processor cannot answer", e);
        }
      default:
        return "unknown order " + order;
    }
  }

  /**
   * With arguments that are copied, as from a socket: what a handler is given must be its own, and
   * a server that does not copy the arguments allocates the frame instead.
   */
  private long allocatedPerCall() throws TException {
    EchoFrame frame = new EchoFrame(Handler.AT_ONCE.method());
    ByteBuffer request = ByteBuffer.allocate(frame.bytes());
    frame.putRequest(request, 1, Delay.NONE);
    byte[] body = Arrays.copyOfRange(request.array(), Integer.BYTES, frame.bytes());
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
    // The least of many: what is left once the compiler has done what it does.
    while (System.nanoTime() < end) {
      long sum = 0;
      for (int i = 0; i < RUNS; i++) {
        TProtocol input =
            new TBinaryProtocol(new TIOStreamTransport(new ByteArrayInputStream(body)));
        TMemoryBuffer reply = new TMemoryBuffer(2 * frame.bytes());
        TProtocol output = new TBinaryProtocol(reply);
        long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
        service.serve(input, output);
        sum += threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
      }
      least = Math.min(least, sum / RUNS);
    }
    return least;
  }
}
