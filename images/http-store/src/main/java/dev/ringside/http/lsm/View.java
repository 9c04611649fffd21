package dev.ringside.http.lsm;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * Holds the places of all entries at one moment. A reader uses one view, so that flushes and merges
 * at the same time do not affect it.
 *
 * @param active accepts writes
 * @param frozen the table that is being flushed, or null
 * @param tables on disk, newest first
 */
record View(MemTable active, MemTable frozen, List<SortedTable> tables) {
  /** Returns the newest entry of a key, or null if there is none. */
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

  /** Returns the view after a rotation: a new table accepts writes. */
  View rotated() {
    return new View(new MemTable(), active, tables);
  }

  /** Returns the view after a flush: the frozen table is on disk. */
  View flushed(SortedTable table) {
    List<SortedTable> more = new ArrayList<>(tables.size() + 1);
    more.add(table);
    more.addAll(tables);
    return new View(active, null, List.copyOf(more));
  }

  /** Returns the view after a merge of adjacent tables. */
  View merged(List<SortedTable> those, SortedTable one) {
    List<SortedTable> fewer = new ArrayList<>(tables);
    fewer.set(fewer.indexOf(those.get(0)), one);
    fewer.removeAll(those);
    return new View(active, frozen, List.copyOf(fewer));
  }
}
