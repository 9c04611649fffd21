package dev.ringside.thrift.internal.habits;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Finds the habits of a server's methods by name. Lock-free. Names come from clients, so their
 * number is limited. Where a name finds no place, its competitors lose half of their standing,
 * which they earn by being called, and the first without standing makes room. So names that a
 * client invents, once each, cannot displace methods that are really called. Names without a place
 * share one entry.
 */
public final class MethodTable {
  private static final int SLOTS = 1024;
  private static final int MAX_PROBES = 8;

  private final AtomicReferenceArray<MethodHabits> slots = new AtomicReferenceArray<>(SLOTS);
  private final MethodHabits others;
  private final long limitNanos;

  public MethodTable(long limitNanos) {
    this.limitNanos = limitNanos;
    this.others = new MethodHabits(new byte[0], 0, limitNanos);
  }

  /** Returns the habits of the method with the name {@code bytes[from, to)}. */
  public MethodHabits find(byte[] bytes, int from, int to) {
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
