package dev.ringside.bench.client;

import dev.ringside.bench.wire.Handler;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/**
 * Runs the load generator as a process. Reads orders from lines and answers each with one line,
 * {@code ok ...} or {@code failed ...}. The orders are {@code open port connections depth handler
 * plainEcho}, {@code window millis turning}, {@code open-window millis turning rate}, {@code
 * close}. Ends when its input ends.
 */
public final class ClientMain {
  private LoadClient client;

  private ClientMain() {}

  /** Serves standard input. */
  public static void main(String[] args) throws IOException {
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    ClientMain main = new ClientMain();
    for (String order = orders.readLine(); order != null; order = orders.readLine()) {
      String answer;
      try {
        answer = "ok " + main.obey(order.split(" "));
      } catch (IOException | RuntimeException e) {
        main.close();
        answer = "failed " + e.getMessage();
      }
      System.out.println(answer);
    }
  }

  private String obey(String[] order) throws IOException {
    switch (order[0]) {
      case "open":
        client =
            new LoadClient(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(order[1])),
                Integer.parseInt(order[2]),
                Integer.parseInt(order[3]),
                Handler.of(order[4]),
                Boolean.parseBoolean(order[5]));
        return "";
      case "window":
        return client.window(Long.parseLong(order[1]), Boolean.parseBoolean(order[2])).line();
      case "open-window":
        return client
            .openWindow(
                Long.parseLong(order[1]),
                Double.parseDouble(order[3]),
                Boolean.parseBoolean(order[2]))
            .line();
      case "close":
        close();
        return "";
      default:
        throw new IllegalArgumentException("unknown order " + order[0]);
    }
  }

  private void close() throws IOException {
    if (client != null) {
      client.close();
      client = null;
    }
  }
}
