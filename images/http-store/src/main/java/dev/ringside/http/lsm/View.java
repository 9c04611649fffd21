package dev.ringside.http.lsm;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * Where entries are at a moment. A reader takes one view and sees nothing of flushes and merges
 * that go on beside it.
 *
 * @param active takes writes
 * @param frozen is being flushed; null while none is
 * @param tables on disk, the newest first
 */
record View(MemTable active, MemTable frozen, List<SortedTable> tables) {
  /** The newest entry of the key; null if there is none. */
  Entry find(byte[] key, LongAdder filtered) {
    Entry entry = active.get(key);
    if (entry == null && frozen != null) {
      entry = frozen.get(key);
    }
    for (int i = 0; entry == null && i < tables.size(); i++) {
      SortedTable table = tables.get(i);
      if (table.surelyLacks(key)) {
        filtered.increment();
      } else {
        entry = table.get(key);
      }
    }
    return entry;
  }

  /** The active table is full, another takes its place. */
  View rotated() {
    return new View(new MemTable(), active, tables);
  }

  /** What was frozen is on disk. */
  View flushed(SortedTable table) {
    List<SortedTable> more = new ArrayList<>(tables.size() + 1);
    more.add(table);
    more.addAll(tables);
    return new View(active, null, List.copyOf(more));
  }

  /** Tables next to each other have become one. */
  View merged(List<SortedTable> those, SortedTable one) {
    List<SortedTable> fewer = new ArrayList<>(tables);
    fewer.set(fewer.indexOf(those.get(0)), one);
    fewer.removeAll(those);
    return new View(active, frozen, List.copyOf(fewer));
  }
}
