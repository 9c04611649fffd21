package dev.ringside.http;

import dev.ringside.http.handoff.Task;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.LongAdder;
import one.nio.http.HttpSession;
import one.nio.http.Request;
import one.nio.http.Response;

/** Answers one request for an entity, on the thread that runs the task. */
final class EntityTask implements Task {
  private static final int MAX_KEY_BYTES = 1024;

  private final EntityStore store;
  private final Request request;
  private final HttpSession session;
  private final LongAdder refused;

  EntityTask(EntityStore store, Request request, HttpSession session, LongAdder refused) {
    this.store = store;
    this.request = request;
    this.session = session;
    this.refused = refused;
  }

  @Override
  public void run() {
    send(answer());
  }

  @Override
  public void refuse() {
    refused.increment();
    send(busy());
  }

  private Response answer() {
    try {
      return answered();
    } catch (IOException e) {
      return text(Response.INTERNAL_ERROR, e.getMessage());
    } catch (Throwable e) { // without an answer, the client would wait forever
      return text(Response.INTERNAL_ERROR, e.toString());
    }
  }

  private Response answered() throws IOException {
    String id = request.getParameter("id=");
    if (id == null || id.isEmpty()) {
      return text(Response.BAD_REQUEST, "name an entity: /v0/entity?id=...");
    }
    byte[] key = id.getBytes(StandardCharsets.UTF_8);
    if (key.length > MAX_KEY_BYTES) {
      return text(Response.BAD_REQUEST, "an id has " + MAX_KEY_BYTES + " bytes at most");
    }
    return switch (request.getMethod()) {
      case Request.METHOD_GET -> get(key);
      case Request.METHOD_PUT -> put(key);
      case Request.METHOD_DELETE -> delete(key);
      default -> text(Response.METHOD_NOT_ALLOWED, "GET, PUT or DELETE it");
    };
  }

  private Response get(byte[] key) throws IOException {
    byte[] value = store.get(key);
    return value == null ? empty(Response.NOT_FOUND) : Response.ok(value);
  }

  private Response put(byte[] key) throws IOException {
    byte[] body = request.getBody();
    return store.put(key, body == null ? Response.EMPTY : body) ? empty(Response.CREATED) : busy();
  }

  private Response delete(byte[] key) throws IOException {
    return store.remove(key) ? empty(Response.ACCEPTED) : busy();
  }

  private static Response busy() {
    return empty(Response.SERVICE_UNAVAILABLE);
  }

  private static Response empty(String status) {
    return new Response(status, Response.EMPTY);
  }

  static Response text(String status, String fault) {
    return new Response(status, (fault + "\n").getBytes(StandardCharsets.UTF_8));
  }

  private void send(Response response) {
    try {
      session.sendResponse(response);
    } catch (Throwable e) {
      // In most cases the client has closed the connection.
      session.handleException(e);
    }
  }
}
