package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.ringside.thrift.internal.metrics.RecentMax;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class RecentMaxTest {
  @Test
  void shouldHoldTheLargestValueForOneToTwoMinutesHoweverOftenItIsRead() {
    RecentMax max = new RecentMax();
    long now = System.nanoTime();
    max.add(5, now);
    max.add(9, now);
    max.add(7, now);
    assertEquals(9, max.get(now));
    assertEquals(9, max.get(now + TimeUnit.SECONDS.toNanos(59)));
    max.add(3, now + TimeUnit.SECONDS.toNanos(61));
    assertEquals(9, max.get(now + TimeUnit.SECONDS.toNanos(61)));
    assertEquals(3, max.get(now + TimeUnit.SECONDS.toNanos(125)));
    assertEquals(0, max.get(now + TimeUnit.SECONDS.toNanos(600)));
  }
}
