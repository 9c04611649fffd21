package dev.ringside.trip.cache;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

class HazelcastCacheTest {
  @Test
  void shouldBeAloneOnTheLoopbackInterface() throws IOException {
    try (Cache one = new HazelcastCache("one");
        Cache other = new HazelcastCache("other")) {
      one.put(1, new byte[] {1});
      assertNull(other.get(1), "two caches in a process are two");
      for (HazelcastInstance member : Hazelcast.getAllHazelcastInstances()) {
        assertEquals(1, member.getCluster().getMembers().size());
        InetSocketAddress listens =
            (InetSocketAddress) member.getLocalEndpoint().getSocketAddress();
        assertTrue(listens.getAddress().isLoopbackAddress(), listens::toString);
      }
      List<String> threads =
          Thread.getAllStackTraces().keySet().stream().map(Thread::getName).toList();
      assertTrue(
          threads.contains("hz.one.partition-operation.thread-0"),
          () -> "profiles of several pods are added up by these names: " + threads);
    }
    assertTrue(Hazelcast.getAllHazelcastInstances().isEmpty(), "closed is gone");
  }

  @Test
  void shouldTellWhatItHoldsAndWhatItWasAsked() throws IOException {
    try (Cache cache = new HazelcastCache("trips")) {
      cache.put(1, new byte[1_000]);
      cache.put(2, new byte[1_000]);
      assertArrayEquals(new byte[1_000], cache.get(2));
      assertEquals(2, cache.sizes().entries());
      assertTrue(cache.sizes().memoryBytes() > 2_000);
      assertEquals(1, cache.counted().get("gets"));
      assertEquals(2, cache.counted().get("sets"));
    }
  }

  @Test
  void shouldSayThatItCanDoNoMoreWhenItWasEnded() throws IOException {
    Cache cache = new HazelcastCache("trips");
    cache.close();
    assertThrows(IOException.class, () -> cache.put(1, new byte[1]));
    assertThrows(IOException.class, () -> cache.get(1));
  }
}
