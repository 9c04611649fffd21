package dev.ringside.thrift;

import com.lmax.disruptor.BlockingWaitStrategy;
import com.lmax.disruptor.LiteBlockingWaitStrategy;
import com.lmax.disruptor.SleepingWaitStrategy;
import com.lmax.disruptor.WaitStrategy;
import dev.ringside.thrift.internal.loop.Options;

/** Creates the Disruptor's wait strategies by the server's wait modes. */
final class WaitStrategies {
  private WaitStrategies() {}

  static WaitStrategy of(Options options) {
    if (options.sleeps) {
      return new SleepingWaitStrategy();
    }
    return options.polls > 0 ? new LiteBlockingWaitStrategy() : new BlockingWaitStrategy();
  }
}
