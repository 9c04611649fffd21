package dev.ringside.bench.drift;

import com.facebook.drift.codec.ThriftCodecManager;
import com.facebook.drift.server.DriftServer;
import com.facebook.drift.server.DriftService;
import com.facebook.drift.server.stats.NullMethodInvocationStatsFactory;
import com.facebook.drift.transport.netty.server.DriftNettyServerConfig;
import com.facebook.drift.transport.netty.server.DriftNettyServerTransportFactory;
import dev.ringside.bench.handler.HandlerThreads;
import dev.ringside.bench.handler.HandlerWork;
import dev.ringside.bench.handler.ThreadCounts;
import dev.ringside.server.ServerType;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;

/**
 * Creates Drift's own server with the benchmark's service, as its manual describes. Uses its
 * defaults, except for settings that are the same for all servers.
 */
final class EchoServer {
  private EchoServer() {}

  /**
   * Creates a server that is not started.
   *
   * @param counts threads that run handlers, and event loops, unless handlers run on them and the
   *     workers are their number. Empty for Drift's defaults, which have no pool
   */
  static DriftServer of(
      HandlerThreads threads, int port, Optional<ThreadCounts> counts, HandlerWork work) {
    boolean pool = threads == HandlerThreads.POOL;
    DriftNettyServerConfig config =
        new DriftNettyServerConfig()
            .setPort(port)
            .setAcceptBacklog(ServerType.BACKLOG)
            // Thrift clients expect replies in order. A loop keeps the order; with a pool, Drift
            // must be configured to do so.
            .setAssumeClientsSupportOutOfOrderResponses(!pool);
    counts.ifPresent(of -> config.setWorkerThreadCount(eventLoops(pool, of)));
    Object service =
        pool
            ? new PoolEchoService(
                work, Executors.newFixedThreadPool(counts.orElseThrow().workers()))
            : new LoopEchoService(work);
    return new DriftServer(
        new DriftNettyServerTransportFactory(config),
        new ThriftCodecManager(),
        new NullMethodInvocationStatsFactory(),
        Set.of(new DriftService(service)),
        Set.of());
  }

  private static int eventLoops(boolean pool, ThreadCounts counts) {
    return pool || counts.workers() == 0 ? counts.selectors() : counts.workers();
  }
}
