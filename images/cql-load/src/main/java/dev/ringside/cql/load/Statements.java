package dev.ringside.cql.load;

import dev.ringside.cassandra.load.StressRows;
import java.util.stream.Collectors;

/** The statements of cassandra-stress. The key is the last variable. */
final class Statements {
  private Statements() {}

  static String write(int columns) {
    return StressRows.names(columns).stream()
        .map(name -> "\"" + name + "\" = ?")
        .collect(
            Collectors.joining(
                ", ", "UPDATE " + Table.KEYSPACE + "." + Table.TABLE + " SET ", " WHERE key = ?"));
  }

  static String read(int columns) {
    return StressRows.names(columns).stream()
        .map(name -> "\"" + name + "\"")
        .collect(
            Collectors.joining(
                ", ", "SELECT ", " FROM " + Table.KEYSPACE + "." + Table.TABLE + " WHERE key = ?"));
  }
}
