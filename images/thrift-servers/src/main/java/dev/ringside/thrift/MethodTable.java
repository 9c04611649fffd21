package dev.ringside.thrift;

import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The habits of all methods of one server, found by name. Lock-free; names come from clients, so
 * their number is limited. Where a name finds no place, those that it competes with lose half of
 * what they have earned by being called, and the first that has nothing left makes room: names that
 * a client made up, once each, cannot keep the methods out that are really called. Until then, what
 * has no place shares one entry.
 */
final class MethodTable {
  private static final int SLOTS = 1024;
  private static final int MAX_PROBES = 8;

  private final AtomicReferenceArray<MethodHabits> slots = new AtomicReferenceArray<>(SLOTS);
  private final MethodHabits others;
  private final long limitNanos;
  private final boolean counted;

  /**
   * @param counted whether calls are counted by name, a few hundred bytes each; a name that has
   *     lost its place is counted with those that have none
   */
  MethodTable(long limitNanos, boolean counted) {
    this.limitNanos = limitNanos;
    this.counted = counted;
    this.others = create(new byte[0], 0);
  }

  private MethodHabits create(byte[] name, int hash) {
    MethodHabits created = new MethodHabits(name, hash, limitNanos);
    if (counted) {
      created.countIn(new MethodCounts());
    }
    return created;
  }

  /** What was counted so far, by name; nothing if it is not counted. From any thread. */
  Collection<MethodMetrics> metrics() {
    Map<String, MethodMetrics> byName = new TreeMap<>();
    for (int slot = 0; slot < SLOTS; slot++) {
      MethodHabits habits = slots.get(slot);
      if (habits != null) {
        collect(byName, habits, habits.name());
      }
    }
    collect(byName, others, MethodMetrics.OTHERS);
    return byName.values();
  }

  private static void collect(Map<String, MethodMetrics> byName, MethodHabits habits, String name) {
    MethodCounts counts = habits.counts();
    if (counts != null) {
      MethodMetrics read = counts.read(name);
      if (read.getCalls() > 0) {
        byName.merge(name, read, MethodMetrics::plus);
      }
    }
  }

  /** The habits of the method whose name is {@code bytes[from, to)}. */
  MethodHabits find(byte[] bytes, int from, int to) {
    if (from == to) {
      return others;
    }
    int hash = hash(bytes, from, to);
    int forgotten = -1;
    for (int probe = 0; probe < MAX_PROBES; probe++) {
      int slot = (hash + probe) & (SLOTS - 1);
      MethodHabits habits = slots.get(slot);
      if (habits == null) {
        MethodHabits created = create(Arrays.copyOfRange(bytes, from, to), hash);
        if (slots.compareAndSet(slot, null, created)) {
          return created;
        }
        habits = slots.get(slot);
      }
      if (habits.matches(hash, bytes, from, to)) {
        return habits;
      }
      if (forgotten < 0 && habits.isForgotten()) {
        forgotten = slot;
      }
    }
    if (forgotten < 0) {
      forget(hash);
      return others;
    }
    MethodHabits created = create(Arrays.copyOfRange(bytes, from, to), hash);
    leave(slots.getAndSet(forgotten, created));
    return created;
  }

  /** A call that is being counted at this moment may be missed. */
  private void leave(MethodHabits forgotten) {
    MethodCounts counts = forgotten.counts();
    if (counts != null) {
      // First this: connections know it yet, and go on counting.
      forgotten.countIn(others.counts());
      others.counts().addAll(counts);
    }
  }

  private void forget(int hash) {
    for (int probe = 0; probe < MAX_PROBES; probe++) {
      slots.get((hash + probe) & (SLOTS - 1)).forget();
    }
  }

  private static int hash(byte[] bytes, int from, int to) {
    int hash = 0x811c9dc5;
    for (int i = from; i < to; i++) {
      hash = (hash ^ bytes[i]) * 0x01000193;
    }
    return hash ^ hash >>> 15;
  }
}
