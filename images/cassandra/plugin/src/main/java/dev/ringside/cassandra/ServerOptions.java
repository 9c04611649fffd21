package dev.ringside.cassandra;

import dev.ringside.server.ServerSpec;
import dev.ringside.server.ServerType;
import dev.ringside.thrift.ServerOption;
import dev.ringside.thrift.TDisruptorServer;
import java.util.LinkedHashMap;
import java.util.Map;

/** The options of each server: its own settings, else the values of the node. */
final class ServerOptions {
  /** An option of this plugin: see {@link HoldingProcessor}. */
  static final String HOLD = "HOLD";

  private final NodeLimits limits;
  private final Settings settings;

  ServerOptions(NodeLimits limits, Settings settings) {
    this.limits = limits;
    this.settings = settings;
  }

  int maxWorkers(ServerSpec server) {
    return settings.integer(
        server, ServerOption.WORKERS.name(), 1, limits.maxWorkers(server.type()));
  }

  int minWorkers(ServerSpec server) {
    int most = Math.min(maxWorkers(server), limits.minWorkers());
    return settings.integer(server, ServerOption.MIN_WORKERS.name(), 0, most);
  }

  int selectors(ServerSpec server) {
    return settings.integer(
        server, ServerOption.SELECTORS.name(), 1, (int) ServerOption.SELECTORS.otherwise());
  }

  long maxReadBufferBytes(ServerSpec server) {
    return settings.number(
        server,
        ServerOption.MAX_READ_BUFFER_BYTES.name(),
        1 << 16,
        ServerOption.MAX_READ_BUFFER_BYTES.otherwise());
  }

  /**
   * Returns the share by which {@link HoldingProcessor} delays answers.
   *
   * @throws IllegalArgumentException if the share is not zero and the server does not support it
   */
  Share hold(ServerSpec server) {
    Share share = settings.share(server, HOLD);
    if (!share.isNone() && server.type() != ServerType.THREADPOOL) {
      throw Settings.refused(
          server,
          HOLD,
          share.toString(),
          "it to threadpool alone: where connections share threads, all of them would wait");
    }
    return share;
  }

  /** Applies the options that only the disruptor server has. */
  void apply(ServerSpec server, TDisruptorServer.Args args) {
    DisruptorSettings.apply(settings, server, args);
  }

  /** Returns the server's options for its proof, without those that it does not use. */
  Map<String, Object> described(ServerSpec server) {
    ServerType type = server.type();
    Map<String, Object> described = new LinkedHashMap<>();
    if (type != ServerType.SIMPLE && type != ServerType.NONBLOCKING) {
      described.put("workers", maxWorkers(server));
      if (type != ServerType.THREADPOOL && type != ServerType.HSHA) {
        described.put("selectors", selectors(server));
      }
    }
    Share hold = hold(server);
    if (!hold.isNone()) {
      described.put("hold", hold);
    }
    return described;
  }
}
