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
 * Implements the protocol between the benchmark and a server's process.
 *
 * <p>The server prints {@code ready <port> <class>}, then answers each line of its input with one
 * line. {@code mark} starts a count; {@code allocated} returns the bytes that the server's threads
 * allocated since, or an empty line if one of them has ended; {@code threads} returns the number of
 * threads. The server itself answers other lines. The process ends with its input, so that none
 * remains after any end of the benchmark.
 */
public final class ServerControl {
  private Allocations mark = allocations();

  private ServerControl() {}

  /** Prints that the server is ready, serves standard input, and ends the process. */
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

  /** Returns the allocated bytes of all live threads, except for the current one. */
  private static Allocations allocations() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long own = Thread.currentThread().getId();
    Map<Long, Long> bytes = new HashMap<>();
    // Read before the threads are listed: a thread that starts in between makes the figure missing,
    // not wrong.
    long started = threads.getTotalStartedThreadCount();
    for (long id : threads.getAllThreadIds()) {
      // The value of a thread that has just ended is -1.
      long of = threads.getThreadAllocatedBytes(id);
      if (id != own && of >= 0) {
        bytes.put(id, of);
      }
    }
    return new Allocations(bytes, started);
  }
}
