package dev.ringside.cql.load.profile;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * A partition of a profile's table. All its rows follow from its number, so that every operation of
 * every pod sees the same. For one thread.
 */
final class Partition {
  private static final int TRIES_PER_VALUE = 10;
  private static final int MOST_ROWS = 1_000_000;

  private final Profile profile;
  private final long number;
  private final Map<String, Object> key = new HashMap<>();
  private final List<List<Object>> clusters = new ArrayList<>();
  private final int rows;

  /** Creates the partition with that number, from 1. */
  Partition(Profile profile, long number) {
    this.profile = profile;
    this.number = number;
    for (Column column : profile.partitionKey()) {
      key.put(column.name(), column.draw(random(column, 0), number - 1));
    }
    long product = 1;
    for (Column column : profile.clustering()) {
      List<Object> values = values(column);
      clusters.add(values);
      product = Math.min(MOST_ROWS, product * values.size());
    }
    rows = (int) product;
  }

  /** Returns the number of rows. */
  int rows() {
    return rows;
  }

  /**
   * Returns the different values of a clustering column. There are fewer than its distribution says
   * if its population has not enough of them.
   */
  private List<Object> values(Column column) {
    SplittableRandom random = random(column, 0);
    long count = Math.max(1, Math.min(MOST_ROWS, column.cluster().draw(random, number - 1)));
    Set<Object> seen = new HashSet<>();
    List<Object> values = new ArrayList<>();
    for (long tried = 0; values.size() < count && tried < count * TRIES_PER_VALUE; tried++) {
      Object value = column.draw(random, tried);
      if (seen.add(value)) {
        values.add(value);
      }
    }
    return values;
  }

  /** Returns the value of a column in a row, from 0. */
  Object value(String column, int row) {
    Object ofKey = key.get(column);
    if (ofKey != null) {
      return ofKey;
    }
    int rest = row;
    for (int i = clusters.size() - 1; i >= 0; i--) {
      List<Object> values = clusters.get(i);
      if (profile.clustering().get(i).name().equals(column)) {
        return values.get(rest % values.size());
      }
      rest /= values.size();
    }
    for (Column other : profile.others()) {
      if (other.name().equals(column)) {
        return other.draw(random(other, row + 1L), row);
      }
    }
    throw new IllegalArgumentException(column + " is no column");
  }

  private SplittableRandom random(Column column, long row) {
    long seed = number * 0x9e3779b97f4a7c15L + column.name().hashCode();
    return new SplittableRandom(new SplittableRandom(seed + row * 0xbf58476d1ce4e5b9L).nextLong());
  }
}
