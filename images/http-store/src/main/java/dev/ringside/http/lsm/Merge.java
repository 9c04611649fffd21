package dev.ringside.http.lsm;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;

/**
 * Merges sorted sequences of entries into one. If several have the same key, the newest entry is
 * used.
 */
final class Merge implements Iterator<Entry> {
  private final PriorityQueue<Source> sources = new PriorityQueue<>();
  private final boolean all;
  private Entry next;

  /**
   * Creates a merge.
   *
   * @param newestFirst the sequences, each without duplicate keys
   * @param all whether no older table exists: removed keys are then left out
   */
  Merge(List<Iterator<Entry>> newestFirst, boolean all) {
    this.all = all;
    for (int age = 0; age < newestFirst.size(); age++) {
      Source source = new Source(newestFirst.get(age), age);
      if (source.advance()) {
        sources.add(source);
      }
    }
    next = find();
  }

  @Override
  public boolean hasNext() {
    return next != null;
  }

  @Override
  public Entry next() {
    if (next == null) {
      throw new NoSuchElementException();
    }
    Entry found = next;
    next = find();
    return found;
  }

  private Entry find() {
    while (!sources.isEmpty()) {
      Entry newest = take();
      while (!sources.isEmpty() && Arrays.equals(sources.peek().head.key(), newest.key())) {
        take();
      }
      if (newest.value() != null || !all) {
        return newest;
      }
    }
    return null;
  }

  private Entry take() {
    Source source = sources.poll();
    Entry entry = source.head;
    if (source.advance()) {
      sources.add(source);
    }
    return entry;
  }

  /** Is a sequence with its next entry. Orders by that entry's key, then newest first. */
  private static final class Source implements Comparable<Source> {
    private final Iterator<Entry> entries;
    private final int age;
    private Entry head;

    Source(Iterator<Entry> entries, int age) {
      this.entries = entries;
      this.age = age;
    }

    boolean advance() {
      head = entries.hasNext() ? entries.next() : null;
      return head != null;
    }

    @Override
    public int compareTo(Source other) {
      int order = Arrays.compareUnsigned(head.key(), other.head.key());
      return order != 0 ? order : Integer.compare(age, other.age);
    }
  }
}
