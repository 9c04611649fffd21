package dev.ringside.store;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.ringside.contract.HttpPatience;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * The kubelet's endpoint: {@code /ready} says whether every server answers requests, {@code /live}
 * whether the process is of any more use. 200 if all is well, else 503 with what is not.
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
   * Listens.
   *
   * @param port 0 for any that is free
   * @param live what ails the process, a line each; asked on threads of its own
   * @param ready which servers do not answer, a line each; the same
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

  /** Where it listens. */
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
