package dev.ringside.http.load;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Stores entities in memory with the JDK's HTTP server, and can simulate errors. */
final class FakeStore implements AutoCloseable {
  final Map<String, byte[]> entities = new ConcurrentHashMap<>();
  final Map<String, AtomicInteger> asked = new ConcurrentHashMap<>();
  private final AtomicInteger requests = new AtomicInteger();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpServer http;
  private volatile int busyOneIn = Integer.MAX_VALUE;

  FakeStore() throws IOException {
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    http.setExecutor(threads);
    http.createContext("/v0/entity", this::answer);
    http.start();
  }

  String endpoint() {
    return "127.0.0.1:" + http.getAddress().getPort();
  }

  /** Answers every n-th request with status 503. */
  void busyOneIn(int n) {
    busyOneIn = n;
  }

  private void answer(HttpExchange exchange) throws IOException {
    String id = exchange.getRequestURI().getQuery().substring("id=".length());
    byte[] body = exchange.getRequestBody().readAllBytes();
    asked.computeIfAbsent(id, key -> new AtomicInteger()).incrementAndGet();
    if (requests.incrementAndGet() % busyOneIn == 0) {
      send(exchange, 503, new byte[0]);
      return;
    }
    switch (exchange.getRequestMethod()) {
      case "PUT" -> {
        entities.put(id, body);
        send(exchange, 201, new byte[0]);
      }
      case "DELETE" -> {
        entities.remove(id);
        send(exchange, 202, new byte[0]);
      }
      default -> {
        byte[] value = entities.get(id);
        send(exchange, value == null ? 404 : 200, value == null ? new byte[0] : value);
      }
    }
  }

  private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    if (body.length > 0) {
      exchange.getResponseBody().write(body);
    }
    exchange.close();
  }

  @Override
  public void close() {
    http.stop(0);
    threads.shutdownNow();
  }
}
