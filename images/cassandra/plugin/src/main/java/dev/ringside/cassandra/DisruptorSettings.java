package dev.ringside.cassandra;

import dev.ringside.server.ServerSpec;
import dev.ringside.thrift.TDisruptorServer;
import dev.ringside.thrift.WaitMode;
import java.util.concurrent.TimeUnit;

/**
 * The options that only the disruptor server has. What is not set stays as the server's own
 * default.
 */
final class DisruptorSettings {
  private static final long UNSET = -1;

  private DisruptorSettings() {}

  /**
   * Sets what is set.
   *
   * @throws IllegalArgumentException with one line that names the option and what it may be
   */
  static void apply(Settings settings, ServerSpec server, TDisruptorServer.Args args) {
    String waitMode = settings.text(server, "WAIT_MODE", null);
    if (waitMode != null) {
      args.waitMode(WaitMode.of(waitMode));
    }
    long ringSize = settings.number(server, "RING_SIZE", 1, UNSET);
    if (ringSize != UNSET) {
      args.ringSize((int) Math.min(Integer.MAX_VALUE, ringSize));
    }
    long maxConnections = settings.number(server, "MAX_CONNECTIONS", 1, UNSET);
    if (maxConnections != UNSET) {
      args.maxConnections((int) Math.min(Integer.MAX_VALUE, maxConnections));
    }
    long idle = settings.number(server, "IDLE_TIMEOUT_MS", 0, UNSET);
    if (idle != UNSET) {
      args.idleTimeout(idle, TimeUnit.MILLISECONDS);
    }
    long stall = settings.number(server, "STALL_TIMEOUT_MS", 0, UNSET);
    if (stall != UNSET) {
      args.stallTimeout(stall, TimeUnit.MILLISECONDS);
    }
    long stop = settings.number(server, "STOP_TIMEOUT_MS", 0, UNSET);
    if (stop != UNSET) {
      args.stopTimeout(stop, TimeUnit.MILLISECONDS);
    }
    long inlineLimit = settings.number(server, "INLINE_LIMIT_US", 0, UNSET);
    if (inlineLimit != UNSET) {
      args.inlineLimit(inlineLimit, TimeUnit.MICROSECONDS);
    }
    long blockedAfter = settings.number(server, "BLOCKED_AFTER_US", 1, UNSET);
    if (blockedAfter != UNSET) {
      args.blockedAfter(blockedAfter, TimeUnit.MICROSECONDS);
    }
    long linger = settings.number(server, "LINGER_MS", 0, UNSET);
    if (linger != UNSET) {
      args.linger(linger, TimeUnit.MILLISECONDS);
    }
  }
}
