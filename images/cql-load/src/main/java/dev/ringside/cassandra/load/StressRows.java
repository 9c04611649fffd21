package dev.ringside.cassandra.load;

import java.util.List;

/**
 * Makes the rows of cassandra-stress for other loads, so that either can read what the other wrote.
 * It is in this package to use the rows of {@code cassandra-load}. For one thread.
 */
public final class StressRows {
  private final Population population;

  /** Creates rows with that number of columns of that size. */
  public StressRows(int columns, int columnSize) {
    population = new Population(columns, columnSize);
  }

  /** Returns the names of the columns in Cassandra's order. */
  public static List<String> names(int columns) {
    return Population.names(columns);
  }

  /** Returns the key of the row with that number, from 1. */
  public byte[] key(long number) {
    return population.key(number);
  }

  /** Returns the values of the row with that key, in the order of the names. */
  public byte[][] values(byte[] key) {
    return population.values(key);
  }
}
