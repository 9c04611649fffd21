package dev.ringside.thrift;

import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Finds the habits of a server's methods by name. Lock-free. Names come from clients, so their
 * number is limited. Where a name finds no place, its competitors lose half of their standing,
 * which they earn by being called, and the first without standing makes room. So names that a
 * client invents, once each, cannot displace methods that are really called. Names without a place
 * share one entry.
 */
final class MethodTable {
  private static final int SLOTS = 1024;
  private static final int MAX_PROBES = 8;

  private final AtomicReferenceArray<MethodHabits> slots = new AtomicReferenceArray<>(SLOTS);
  private final MethodHabits others;
  private final long limitNanos;
  private final boolean counted;

  /**
   * Creates an empty table.
   *
   * @param counted whether calls are counted by name, a few hundred bytes each; a name that loses
   *     its place is counted with those that have none
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

  /** Returns the counts by name; empty if calls are not counted. May be called from any thread. */
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

  /** Returns the habits of the method with the name {@code bytes[from, to)}. */
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

  /**
   * Moves the counts of a forgotten method. A call that is counted at this moment may be missed.
   */
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
