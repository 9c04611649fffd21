package dev.ringside.bench.drift;

import com.facebook.drift.server.DriftServer;
import dev.ringside.bench.handler.HandlerThreads;
import dev.ringside.bench.handler.HandlerWork;
import dev.ringside.bench.handler.ServerOrders;
import dev.ringside.bench.wire.ServerControl;

/**
 * Drift as a process: {@code DriftMain threads port workers selectors}. Handlers run on a pool of
 * workers beside the selectors, or on as many event loops as there shall be workers; without
 * workers, on the selectors.
 */
public final class DriftMain {
  private DriftMain() {}

  /** Serves until standard input ends. */
  public static void main(String[] args) throws Exception {
    int port = Integer.parseInt(args[1]);
    HandlerWork work = new HandlerWork();
    DriftServer server =
        EchoServer.of(
            HandlerThreads.of(args[0]),
            port,
            Integer.parseInt(args[2]),
            Integer.parseInt(args[3]),
            work);
    server.start();
    ServerControl.run(
        port,
        server.getServerTransport().getClass().getName(),
        new ServerOrders(work, new DriftMemoryProcessor(work)));
  }
}
