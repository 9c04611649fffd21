package dev.ringside.thrift.internal.habits;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Finds the habits of a server's methods by name, without making a string. Lock-free. Names come
 * from clients, so their number is limited: the first 1,024 have a place for good, and all others
 * share one entry.
 */
public final class MethodTable {
  private static final int MAX_METHODS = 1024;
  private static final int SLOTS = 2 * MAX_METHODS;

  private final AtomicReferenceArray<MethodHabits> slots = new AtomicReferenceArray<>(SLOTS);
  private final AtomicInteger count = new AtomicInteger();
  private final MethodHabits others;
  private final long limitNanos;

  public MethodTable(long limitNanos) {
    this.limitNanos = limitNanos;
    this.others = new MethodHabits(new byte[0], limitNanos);
  }

  /** Returns the habits of the method with the name {@code bytes[from, to)}. */
  public MethodHabits find(byte[] bytes, int from, int to) {
    if (from == to) {
      return others;
    }
    int slot = hash(bytes, from, to);
    while (true) {
      slot &= SLOTS - 1;
      MethodHabits habits = slots.get(slot);
      if (habits == null) {
        if (count.get() >= MAX_METHODS) {
          return others;
        }
        MethodHabits created = new MethodHabits(Arrays.copyOfRange(bytes, from, to), limitNanos);
        if (slots.compareAndSet(slot, null, created)) {
          count.incrementAndGet();
          return created;
        }
        habits = slots.get(slot);
      }
      if (habits.matches(bytes, from, to)) {
        return habits;
      }
      slot++;
    }
  }

  /** Returns the names of the methods of which the next call is handed off. */
  public List<String> handedOff() {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < SLOTS; i++) {
      MethodHabits habits = slots.get(i);
      if (habits != null && habits.handOff()) {
        names.add(habits.name());
      }
    }
    return names;
  }

  private static int hash(byte[] bytes, int from, int to) {
    int hash = 0x811c9dc5;
    for (int i = from; i < to; i++) {
      hash = (hash ^ bytes[i]) * 0x01000193;
    }
    return hash ^ hash >>> 15;
  }
}
