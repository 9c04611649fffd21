package dev.ringside.cql.load.profile;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchableStatement;
import com.datastax.oss.driver.api.core.cql.ColumnDefinition;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The operations of a profile, prepared in one session. Safe for any number of threads. */
public final class PreparedProfile {
  private final Profile profile;
  private final CqlSession session;
  private final Map<String, Prepared> statements = new HashMap<>();

  /** A statement, and the columns of its variables. */
  private record Prepared(PreparedStatement statement, List<String> columns) {}

  PreparedProfile(Profile profile, CqlSession session, Set<String> operations)
      throws ProfileException {
    this.profile = profile;
    this.session = session;
    Faults faults = new Faults();
    for (String name : operations) {
      Query query = profile.queries().get(name);
      PreparedStatement statement = prepare(query, faults);
      if (statement == null) {
        continue;
      }
      List<String> columns = new ArrayList<>();
      for (ColumnDefinition variable : statement.getVariableDefinitions()) {
        String column = variable.getName().asInternal();
        if (query != null && !profile.table().types().containsKey(column)) {
          faults.add(
              query.line(),
              "query %s has a variable for '%s', which is no column: write a value in its place",
              name,
              column);
        }
        columns.add(column);
      }
      statements.put(name, new Prepared(statement, columns));
    }
    faults.check();
  }

  /** Prepares a query, or the insert; null if the store rejects the query, which is reported. */
  private PreparedStatement prepare(Query query, Faults faults) {
    if (query == null) {
      return session.prepare(insert());
    }
    try {
      return session.prepare(query.cql());
    } catch (QueryValidationException e) {
      faults.add(query.line(), "the store rejects query %s: %s", query.name(), e.getMessage());
      return null;
    }
  }

  /** Returns the statement that writes a row, as in cassandra-stress. */
  private String insert() {
    String keys =
        Stream.concat(profile.partitionKey().stream(), profile.clustering().stream())
            .map(column -> column.name() + " = ?")
            .collect(Collectors.joining(" AND "));
    String table = profile.keyspace() + "." + profile.table().name();
    if (profile.others().isEmpty()) {
      return String.format(
          "INSERT INTO %s (%s) VALUES (%s)",
          table,
          keys.replace(" = ?", "").replace(" AND ", ", "),
          profile.table().types().keySet().stream()
              .map(column -> "?")
              .collect(Collectors.joining(", ")));
    }
    return String.format(
        "UPDATE %s SET %s WHERE %s",
        table,
        profile.others().stream()
            .map(column -> column.name() + " = ?")
            .collect(Collectors.joining(", ")),
        keys);
  }

  /** Returns the greatest number of partitions that an insert writes. */
  public int partitionsPerInsert() {
    return (int) profile.insert().partitions().max();
  }

  /** Returns the number of partitions that the next insert writes. */
  public int drawPartitions(RandomGenerator random) {
    return (int) profile.insert().partitions().draw(random, 0);
  }

  /** Writes rows of partitions with those numbers, from 1, in one batch if there are several. */
  public void insert(long[] partitions, RandomGenerator random) {
    Prepared insert = statements.get(UserProfile.INSERT);
    List<BatchableStatement<?>> rows = new ArrayList<>();
    for (long number : partitions) {
      Partition partition = new Partition(profile, number);
      int count = visited(partition.rows(), random);
      int first = count == partition.rows() ? 0 : random.nextInt(partition.rows());
      for (int i = 0; i < count; i++) {
        int row = (first + i) % partition.rows();
        rows.add(
            insert
                .statement()
                .bind(
                    insert.columns().stream()
                        .map(column -> partition.value(column, row))
                        .toArray()));
      }
    }
    if (rows.size() == 1) {
      session.execute((Statement<?>) rows.get(0));
    } else {
      session.execute(BatchStatement.newInstance(profile.insert().batch()).addAll(rows));
    }
  }

  private int visited(int rows, RandomGenerator random) {
    double share = (double) profile.insert().select().draw(random, 0) / profile.insert().selectOf();
    return (int) Math.max(1, Math.min(rows, Math.ceil(share * rows)));
  }

  /**
   * Runs a query with values of a partition and returns the number of rows that it found, on all
   * pages.
   */
  public int query(String name, long number, RandomGenerator random) {
    Prepared prepared = statements.get(name);
    Partition partition = new Partition(profile, number);
    boolean sameRow = profile.queries().get(name).sameRow();
    int row = random.nextInt(partition.rows());
    List<Object> values = new ArrayList<>();
    for (String column : prepared.columns()) {
      values.add(partition.value(column, sameRow ? row : random.nextInt(partition.rows())));
    }
    ResultSet found = session.execute(prepared.statement().bind(values.toArray()));
    int rows = 0;
    for (Row each : found) {
      rows += each.size() > 0 ? 1 : 0;
    }
    return rows;
  }
}
