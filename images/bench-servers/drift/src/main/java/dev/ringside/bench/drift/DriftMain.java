package dev.ringside.bench.drift;

import com.facebook.drift.server.DriftServer;
import dev.ringside.bench.handler.HandlerThreads;
import dev.ringside.bench.handler.HandlerWork;
import dev.ringside.bench.handler.ServerOrders;
import dev.ringside.bench.handler.ThreadCounts;
import dev.ringside.bench.wire.ServerControl;

/**
 * Runs Drift as a process: {@code DriftMain threads port [workers selectors]}. Handlers run on a
 * pool of workers next to the selectors, or on one event loop per worker. With 0 workers, they run
 * on the selectors. Without these numbers, they run on as many event loops as Drift chooses.
 */
public final class DriftMain {
  private DriftMain() {}

  /** Serves until standard input ends. */
  public static void main(String[] args) throws Exception {
    int port = Integer.parseInt(args[1]);
    HandlerWork work = new HandlerWork();
    DriftServer server =
        EchoServer.of(HandlerThreads.of(args[0]), port, ThreadCounts.of(args), work);
    server.start();
    ServerControl.run(
        port,
        server.getServerTransport().getClass().getName(),
        new ServerOrders(work, new DriftMemoryProcessor(work)));
  }
}
