package dev.ringside.load;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Servers by port. They count the operations that they receive, and the other servers that are
 * loaded at the same time.
 */
final class FakeServers implements Connector {
  /** What a server does with an operation. */
  interface Behaviour {
    void answer(int port, long number) throws Exception;
  }

  /** The outcome of an operation that did not fail. */
  interface Fate {
    Outcome of(int port, long number);
  }

  private final ConcurrentHashMap<Integer, AtomicLong> answered = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<Integer, AtomicLong> failed = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<Integer, AtomicInteger> busy = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, Integer> together = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<Long, Integer> numbers = new ConcurrentHashMap<>();
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger mostOpen = new AtomicInteger();
  private final AtomicInteger mostBusy = new AtomicInteger();
  private final ConcurrentHashMap<Client, AtomicLong> byConnection = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<Integer, List<AtomicLong>> opened = new ConcurrentHashMap<>();
  private final AtomicInteger busyWhileOpening = new AtomicInteger();
  private final Behaviour behaviour;
  private final Fate fate;

  FakeServers(Behaviour behaviour) {
    this(behaviour, (port, number) -> Outcome.DONE);
  }

  FakeServers(Behaviour behaviour, Fate fate) {
    this.behaviour = behaviour;
    this.fate = fate;
  }

  static void take(long micros) {
    LockSupport.parkNanos(1_000 * micros);
  }

  @Override
  public Client connect(Endpoint endpoint, int thread) {
    int port = endpoint.port();
    mostOpen.accumulateAndGet(open.incrementAndGet(), Math::max);
    busy.values().forEach(there -> busyWhileOpening.addAndGet(there.get()));
    AtomicLong asked = new AtomicLong();
    opened.computeIfAbsent(port, key -> new CopyOnWriteArrayList<>()).add(asked);
    return new Client() {
      private boolean closed;

      @Override
      public Outcome operate(long number) throws Exception {
        mostBusy.accumulateAndGet(count(port).incrementAndGet(), Math::max);
        asked.incrementAndGet();
        byConnection.computeIfAbsent(this, key -> new AtomicLong()).incrementAndGet();
        busy.forEach(
            (other, there) -> {
              if (other != port && there.get() > 0) {
                together.put(Math.min(port, other) + "+" + Math.max(port, other), 1);
              }
            });
        try {
          behaviour.answer(port, number);
          of(answered, port).incrementAndGet();
          numbers.merge(number, 1, Integer::sum);
          return fate.of(port, number);
        } catch (Exception e) {
          of(failed, port).incrementAndGet();
          throw e;
        } finally {
          count(port).decrementAndGet();
        }
      }

      @Override
      public void close() {
        if (!closed) {
          open.decrementAndGet();
        }
        closed = true;
      }
    };
  }

  private AtomicInteger count(int port) {
    return busy.computeIfAbsent(port, key -> new AtomicInteger());
  }

  private static AtomicLong of(ConcurrentHashMap<Integer, AtomicLong> counts, int port) {
    return counts.computeIfAbsent(port, key -> new AtomicLong());
  }

  long answered(int port) {
    return of(answered, port).get();
  }

  long failed(int port) {
    return of(failed, port).get();
  }

  /** Returns the greatest number of connections that were open at the same time. */
  int mostOpen() {
    return mostOpen.get();
  }

  /** Returns the greatest number of operations that were in progress on one server. */
  int mostBusy() {
    return mostBusy.get();
  }

  /** Returns the number of operations of each connection. */
  java.util.Collection<AtomicLong> byConnection() {
    return byConnection.values();
  }

  /** Returns the number of operations of each connection to a server, in the order of opening. */
  List<AtomicLong> opened(int port) {
    return opened.get(port);
  }

  /** Returns the number of operations that were in progress while a connection was opened. */
  int busyWhileOpening() {
    return busyWhileOpening.get();
  }

  /** Returns the number of open connections. */
  int open() {
    return open.get();
  }

  /** Returns the pairs of ports that were loaded at the same time. */
  java.util.Set<String> together() {
    return together.keySet();
  }

  /** Returns how often the operation of each number was answered. */
  ConcurrentHashMap<Long, Integer> numbers() {
    return numbers;
  }
}
