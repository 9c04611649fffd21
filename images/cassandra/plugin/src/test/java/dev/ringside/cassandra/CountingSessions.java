package dev.ringside.cassandra;

import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Sessions that count their calls per client and remember the client of each thread. */
final class CountingSessions implements Sessions {
  final ThreadLocal<SocketAddress> current = new ThreadLocal<>();
  final AtomicInteger requests = new AtomicInteger();
  final Map<SocketAddress, AtomicInteger> ended = new ConcurrentHashMap<>();

  @Override
  public void beforeRequest(SocketAddress client) {
    current.set(client);
    requests.incrementAndGet();
  }

  @Override
  public void connectionEnded(SocketAddress client) {
    ended.computeIfAbsent(client, c -> new AtomicInteger()).incrementAndGet();
  }
}
