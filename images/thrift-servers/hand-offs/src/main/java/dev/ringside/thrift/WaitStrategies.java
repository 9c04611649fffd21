package dev.ringside.thrift;

import com.lmax.disruptor.BlockingWaitStrategy;
import com.lmax.disruptor.LiteBlockingWaitStrategy;
import com.lmax.disruptor.SleepingWaitStrategy;
import com.lmax.disruptor.WaitStrategy;

/** Creates the Disruptor's wait strategies by the server's wait modes. */
final class WaitStrategies {
  private WaitStrategies() {}

  static WaitStrategy of(WaitMode mode) {
    switch (mode) {
      case LITE_BLOCKING:
        return new LiteBlockingWaitStrategy();
      case SLEEPING:
        return new SleepingWaitStrategy();
      default:
        return new BlockingWaitStrategy();
    }
  }
}
