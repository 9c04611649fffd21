package dev.ringside.thrift;

import java.util.Arrays;
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

  MethodTable(long limitNanos) {
    this.limitNanos = limitNanos;
    this.others = new MethodHabits(new byte[0], 0, limitNanos);
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
        MethodHabits created =
            new MethodHabits(Arrays.copyOfRange(bytes, from, to), hash, limitNanos);
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
    MethodHabits created = new MethodHabits(Arrays.copyOfRange(bytes, from, to), hash, limitNanos);
    slots.set(forgotten, created);
    return created;
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
