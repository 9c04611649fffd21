package dev.ringside.contract;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * The endpoint for the kubelet's probes. {@code /ready} reports whether every server answers
 * requests; {@code /live} reports whether the process works. The status is 200 without problems,
 * else 503 with one line per problem.
 */
public final class Probes implements AutoCloseable {
  private static final int OK = 200;
  private static final int UNAVAILABLE = 503;

  private final HttpServer http;
  private final ExecutorService threads =
      Executors.newFixedThreadPool(
          2,
          task -> {
            Thread thread = new Thread(task, "probes");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * Starts to listen.
   *
   * @param port 0 for any free port
   * @param live returns the problems of the process, one line each; called on threads of this
   *     object
   * @param ready returns the servers that do not answer, one line each; called on threads of this
   *     object
   */
  public Probes(String address, int port, Supplier<List<String>> live, Supplier<List<String>> ready)
      throws IOException {
    HttpPatience.bound();
    http = HttpServer.create(new InetSocketAddress(address, port), 0);
    http.setExecutor(threads);
    http.createContext("/live", exchange -> answer(exchange, live.get()));
    http.createContext("/ready", exchange -> answer(exchange, ready.get()));
    http.start();
  }

  /** Returns the port. */
  public int port() {
    return http.getAddress().getPort();
  }

  private static void answer(HttpExchange exchange, List<String> ills) throws IOException {
    String text = ills.isEmpty() ? "ok\n" : String.join("\n", ills) + "\n";
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(ills.isEmpty() ? OK : UNAVAILABLE, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  @Override
  public void close() {
    http.stop(0);
    threads.shutdownNow();
  }
}
