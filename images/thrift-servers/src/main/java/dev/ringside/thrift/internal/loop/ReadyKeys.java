package dev.ringside.thrift.internal.loop;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Arrays;
import java.util.Set;

/** Holds the keys that one select found ready, removed from the selector. */
public final class ReadyKeys {
  private SelectionKey[] keys = new SelectionKey[64];
  private int size;

  /**
   * Selects, and stores what is ready.
   *
   * @param millis longest time to wait; 0 is no wait, negative no limit
   */
  public void select(Selector selector, long millis) throws IOException {
    clear();
    if (millis == 0) {
      selector.selectNow();
    } else if (millis < 0) {
      selector.select();
    } else {
      selector.select(millis);
    }
    // The next select would not wait.
    Thread.interrupted();
    // Not only what is new: an Error may have ended the last call before the set was cleared.
    Set<SelectionKey> selected = selector.selectedKeys();
    if (!selected.isEmpty()) {
      keys = selected.toArray(keys);
      size = selected.size();
      selected.clear();
    }
  }

  /** Forgets the keys, which would keep closed connections in memory. */
  public void clear() {
    Arrays.fill(keys, 0, size, null);
    size = 0;
  }

  public int size() {
    return size;
  }

  public SelectionKey get(int index) {
    return keys[index];
  }
}
