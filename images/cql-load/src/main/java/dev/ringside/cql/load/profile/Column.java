package dev.ringside.cql.load.profile;

import java.util.random.RandomGenerator;

/**
 * A column of the table, with the distributions of its values.
 *
 * @param name name in lower case
 * @param type CQL type
 * @param size length of text and blobs
 * @param population identities of values
 * @param cluster values in a partition, for a clustering column
 */
record Column(
    String name,
    ColumnType type,
    Distribution size,
    Distribution population,
    Distribution cluster) {
  /** As in cassandra-stress. */
  private static final Distribution DEFAULT_SIZE = Distribution.uniform(4, 8);

  private static final Distribution DEFAULT_POPULATION = Distribution.uniform(1, 100_000_000_000L);

  /** Returns the column with the default distributions of cassandra-stress. */
  static Column of(String name, ColumnType type) {
    return new Column(name, type, DEFAULT_SIZE, DEFAULT_POPULATION, Distribution.fixed(1));
  }

  /**
   * Draws a value.
   *
   * @param index position in a sequence, from 0
   */
  Object draw(RandomGenerator random, long index) {
    long identity = population.draw(random, index);
    return type.value(identity, (int) size.draw(random, index));
  }
}
