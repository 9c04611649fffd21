package dev.ringside.bench.drift;

import com.facebook.drift.codec.ThriftCodecManager;
import com.facebook.drift.server.DriftServer;
import com.facebook.drift.server.DriftService;
import com.facebook.drift.server.stats.NullMethodInvocationStatsFactory;
import com.facebook.drift.transport.netty.server.DriftNettyServerConfig;
import com.facebook.drift.transport.netty.server.DriftNettyServerTransportFactory;
import dev.ringside.bench.handler.HandlerThreads;
import dev.ringside.bench.handler.HandlerWork;
import dev.ringside.server.ServerType;
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
   * @param workers threads that run handlers; 0 to run them on the selectors
   * @param selectors event loops, unless handlers run on them and {@code workers} sets their number
   */
  static DriftServer of(
      HandlerThreads threads, int port, int workers, int selectors, HandlerWork work) {
    boolean pool = threads == HandlerThreads.POOL;
    DriftNettyServerConfig config =
        new DriftNettyServerConfig()
            .setPort(port)
            .setAcceptBacklog(ServerType.BACKLOG)
            .setWorkerThreadCount(pool || workers == 0 ? selectors : workers)
            // Thrift clients expect replies in order. A loop keeps the order; with a pool, Drift
            // must be configured to do so.
            .setAssumeClientsSupportOutOfOrderResponses(!pool);
    Object service =
        pool
            ? new PoolEchoService(work, Executors.newFixedThreadPool(workers))
            : new LoopEchoService(work);
    return new DriftServer(
        new DriftNettyServerTransportFactory(config),
        new ThriftCodecManager(),
        new NullMethodInvocationStatsFactory(),
        Set.of(new DriftService(service)),
        Set.of());
  }
}
