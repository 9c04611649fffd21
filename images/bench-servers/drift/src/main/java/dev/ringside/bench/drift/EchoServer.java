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
 * The benchmark's service in Drift's own server, set up as its manual does, with its defaults but
 * for what is the same for every server of the race.
 */
final class EchoServer {
  private EchoServer() {}

  /**
   * A server that has not begun.
   *
   * @param workers threads that run handlers; 0 for as many as watch connections, and the same ones
   * @param selectors event loops, unless they are the workers
   */
  static DriftServer of(
      HandlerThreads threads, int port, int workers, int selectors, HandlerWork work) {
    boolean pool = threads == HandlerThreads.POOL;
    DriftNettyServerConfig config =
        new DriftNettyServerConfig()
            .setPort(port)
            .setAcceptBacklog(ServerType.BACKLOG)
            .setWorkerThreadCount(pool || workers == 0 ? selectors : workers)
            // Clients of Thrift expect replies in order. A loop gives them so by itself, a pool
            // does not unless Drift is told.
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
