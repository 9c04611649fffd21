package dev.ringside.bench.wire;

import com.sun.management.ThreadMXBean;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;

/**
 * How the benchmark speaks with a server's process. The server says {@code ready <port> <class>};
 * then each line of its input is answered with one line: {@code mark} from when on it shall count,
 * {@code allocated} with the bytes that its threads have allocated since, or with nothing if one of
 * them has ended, {@code threads} with how many those are, anything else by the server itself. The
 * process ends with its input, so that none is left behind whatever happens to the benchmark.
 */
public final class ServerControl {
  private Allocations mark = allocations();

  private ServerControl() {}

  /** Says that the server is ready, serves standard input, and ends the process after it. */
  public static void run(int port, String serverClass, UnaryOperator<String> orders)
      throws IOException {
    ServerControl control = new ServerControl();
    System.out.println("ready " + port + " " + serverClass);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      System.out.println(control.answer(line, orders));
    }
    System.exit(0);
  }

  private String answer(String order, UnaryOperator<String> orders) {
    switch (order) {
      case "allocated":
        OptionalLong bytes = allocations().since(mark);
        return bytes.isPresent() ? Long.toString(bytes.getAsLong()) : "";
      case "mark":
        mark = allocations();
        return "ok";
      case "threads":
        return Integer.toString(ManagementFactory.getThreadMXBean().getThreadCount());
      default:
        return orders.apply(order);
    }
  }

  /** What all threads have allocated that live, but for the one that asks. */
  private static Allocations allocations() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long own = Thread.currentThread().getId();
    Map<Long, Long> bytes = new HashMap<>();
    // Before the threads are listed: one that starts in between makes a figure missing, not wrong.
    long started = threads.getTotalStartedThreadCount();
    for (long id : threads.getAllThreadIds()) {
      // A thread that has just ended has -1.
      long of = threads.getThreadAllocatedBytes(id);
      if (id != own && of >= 0) {
        bytes.put(id, of);
      }
    }
    return new Allocations(bytes, started);
  }
}
