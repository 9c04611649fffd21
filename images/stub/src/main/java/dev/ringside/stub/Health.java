package dev.ringside.stub;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.ringside.contract.HttpPatience;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;

/**
 * The endpoint for probes. {@code /ready} sends a ping to every server over its own port; {@code
 * /live} opens no connection to a server. The status is 200 without problems, else 503 with the
 * names of the failing servers.
 */
final class Health {
  private static final int TIMEOUT_MILLIS = 4000;
  private static final int OK = 200;
  private static final int UNAVAILABLE = 503;

  private final HttpServer http;
  private final ExecutorService threads =
      Executors.newFixedThreadPool(
          2,
          task -> {
            Thread thread = new Thread(task, "health");
            thread.setDaemon(true);
            return thread;
          });

  Health(List<StubServer> servers, Settings settings) throws IOException {
    HttpPatience.bound();
    http = HttpServer.create(new InetSocketAddress(settings.address(), settings.healthPort()), 0);
    http.setExecutor(threads);
    http.createContext(
        "/ready",
        exchange ->
            answer(
                exchange, servers, server -> server.answers(settings.address(), TIMEOUT_MILLIS)));
    http.createContext("/live", exchange -> answer(exchange, servers, StubServer::alive));
  }

  void start() {
    http.start();
  }

  void stop() {
    http.stop(0);
    threads.shutdownNow();
  }

  private static void answer(
      HttpExchange exchange, List<StubServer> servers, Predicate<StubServer> well)
      throws IOException {
    StringBuilder ill = new StringBuilder();
    for (StubServer server : servers) {
      if (!well.test(server)) {
        ill.append(server.spec()).append(" does not answer\n");
      }
    }
    byte[] body = (ill.length() == 0 ? "ok\n" : ill.toString()).getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(ill.length() == 0 ? OK : UNAVAILABLE, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }
}
