package dev.ringside.cql.load;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import dev.ringside.cassandra.load.StressRows;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The prepared statements of a session. The first two are those of cassandra-stress. The key is the
 * last variable.
 *
 * @param write writes a row
 * @param read reads a row by its key
 * @param multiget reads the rows with a list of keys; the key is the first column
 */
record Statements(PreparedStatement write, PreparedStatement read, PreparedStatement multiget) {
  /** Prepares the statements for a table with that number of columns. */
  static Statements prepare(CqlSession session, String table, int columns) {
    List<String> names = StressRows.names(columns).stream().map(each -> '"' + each + '"').toList();
    String all = String.join(", ", names);
    String set = names.stream().map(each -> each + " = ?").collect(Collectors.joining(", "));
    return new Statements(
        session.prepare("UPDATE " + table + " SET " + set + " WHERE key = ?"),
        session.prepare("SELECT " + all + " FROM " + table + " WHERE key = ?"),
        session.prepare("SELECT key, " + all + " FROM " + table + " WHERE key IN ?"));
  }
}
