package dev.ringside.thrift.internal.loop;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Holds the keys that one select found ready, removed from the selector: here as Java 11 can do it,
 * without the set of selected keys and its garbage.
 */
public final class ReadyKeys {
  private SelectionKey[] keys = new SelectionKey[64];
  private int size;
  private final Consumer<SelectionKey> collect = this::add;

  /**
   * Selects, and stores what is ready.
   *
   * @param millis longest time to wait; 0 is no wait, negative no limit
   */
  public void select(Selector selector, long millis) throws IOException {
    clear();
    if (millis == 0) {
      selector.selectNow(collect);
    } else if (millis < 0) {
      selector.select(collect);
    } else {
      selector.select(collect, millis);
    }
    // The next select would not wait.
    Thread.interrupted();
  }

  private void add(SelectionKey key) {
    if (size == keys.length) {
      keys = Arrays.copyOf(keys, 2 * size);
    }
    keys[size++] = key;
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
