package dev.ringside.bench.wire;

import com.sun.management.ThreadMXBean;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;

/**
 * How the benchmark speaks with a server's process. The server says {@code ready <port> <class>};
 * then each line of its input is answered with one line: {@code allocated} with the bytes that all
 * its threads have allocated, {@code threads} with how many those are, anything else by the server
 * itself. The process ends with its input, so that none is left behind whatever happens to the
 * benchmark.
 */
public final class ServerControl {
  private ServerControl() {}

  /** Says that the server is ready, serves standard input, and ends the process after it. */
  public static void run(int port, String serverClass, UnaryOperator<String> orders)
      throws IOException {
    System.out.println("ready " + port + " " + serverClass);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      System.out.println(answer(line, orders));
    }
    System.exit(0);
  }

  private static String answer(String order, UnaryOperator<String> orders) {
    switch (order) {
      case "allocated":
        return Long.toString(allocated());
      case "threads":
        return Integer.toString(ManagementFactory.getThreadMXBean().getThreadCount());
      default:
        return orders.apply(order);
    }
  }

  /** Bytes allocated by all threads that live, but for the one that asks. */
  private static long allocated() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long sum = 0;
    for (long id : threads.getAllThreadIds()) {
      if (id != Thread.currentThread().getId()) {
        sum += Math.max(0, threads.getThreadAllocatedBytes(id));
      }
    }
    return sum;
  }
}
