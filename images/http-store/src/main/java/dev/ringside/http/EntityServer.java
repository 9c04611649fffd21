package dev.ringside.http;

import dev.ringside.http.handoff.HandOff;
import dev.ringside.http.handoff.HandOffs;
import dev.ringside.store.HostedServer;
import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;
import one.nio.http.HttpServer;
import one.nio.http.HttpServerConfig;
import one.nio.http.HttpSession;
import one.nio.http.Request;
import one.nio.http.Response;
import one.nio.server.AcceptorConfig;

/** Serves HTTP: selectors read requests and pass them to a hand-off. */
final class EntityServer extends HttpServer {
  private static final String PATH = "/v0/entity";
  private static final int BACKLOG = 1024;

  private final HostedServer hosted;
  private final ServerOptions options;
  private final EntityStore store;
  private final HandOff handOff;
  private final LongAdder requests = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private boolean stopped;

  /**
   * Binds the port and starts the workers. Requests are served after {@link #start}.
   *
   * @throws IOException if the port cannot be bound
   */
  EntityServer(HostedServer hosted, String address, ServerOptions options, EntityStore store)
      throws IOException {
    super(config(hosted, address, options.selectors()));
    this.hosted = hosted;
    this.options = options;
    this.store = store;
    handOff = HandOffs.of(hosted.type(), options.workers(), options.queue());
  }

  private static HttpServerConfig config(HostedServer hosted, String address, int selectors) {
    AcceptorConfig acceptor = new AcceptorConfig();
    acceptor.address = address;
    acceptor.port = hosted.port();
    acceptor.noDelay = true;
    acceptor.backlog = BACKLOG;
    HttpServerConfig config = new HttpServerConfig();
    config.acceptors = new AcceptorConfig[] {acceptor};
    config.selectors = selectors;
    config.selectorThreadNameFormat = hosted.name() + "-selector-%d";
    config.closeSessions = true;
    return config;
  }

  @Override
  public void handleRequest(Request request, HttpSession session) throws IOException {
    if (!request.getPath().equals(PATH)) {
      session.sendResponse(
          EntityTask.text(Response.NOT_FOUND, "there is " + PATH + "?id=... only"));
      return;
    }
    requests.increment();
    handOff.give(new EntityTask(store, request, session, refused));
  }

  /** Stops the server. Has no effect on a server that is stopped. */
  @Override
  public synchronized void stop() {
    if (!stopped) {
      stopped = true;
      super.stop();
    }
  }

  HostedServer hosted() {
    return hosted;
  }

  ServerOptions options() {
    return options;
  }

  HandOff handOff() {
    return handOff;
  }

  /** Returns the number of requests that were read. */
  long requests() {
    return requests.sum();
  }

  /** Returns the number of requests that were rejected because the queue was full. */
  long refused() {
    return refused.sum();
  }
}
