package dev.ringside.cassandra.load;

import dev.ringside.load.Endpoint;
import dev.ringside.load.LoadFailedException;
import dev.ringside.load.OrdersException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.thrift.Compression;
import org.apache.cassandra.thrift.ConsistencyLevel;
import org.apache.cassandra.thrift.CqlResult;
import org.apache.thrift.TException;

/**
 * Creates the table of cassandra-stress and waits until all nodes have it. A table that two pods
 * create at once would get two ids, so the pod with the first keys creates it and the others wait.
 * Each step opens its own connection, for servers that serve one connection at a time.
 */
final class Schema {
  /** The keyspace of cassandra-stress. */
  static final String KEYSPACE = "keyspace1";

  /** The table of cassandra-stress. */
  static final String TABLE = "standard1";

  private static final String UNREACHABLE = "UNREACHABLE";
  private static final long DEADLINE_SECONDS = 60;
  private static final long POLL_MILLIS = 200;

  private final Orders orders;
  private final Endpoint node;

  Schema(Orders orders) {
    this.orders = orders;
    node = orders.nodes().get(0);
  }

  /**
   * Returns after every node has the table.
   *
   * @throws LoadFailedException if the table cannot be created, or a node does not have it in time
   */
  void prepare() throws LoadFailedException, InterruptedException {
    try {
      makeOrAwait();
    } catch (TException e) {
      throw new LoadFailedException("cannot prepare the table at " + node + ": " + e, e);
    }
  }

  private void makeOrAwait() throws TException, LoadFailedException, InterruptedException {
    if (!orders.writes()) {
      if (!tableExists()) {
        throw new OrdersException(
            "the table "
                + KEYSPACE
                + "."
                + TABLE
                + " is not there: reads need a write phase before them");
      }
      return;
    }
    if (orders.common().keyOffset() == 0) {
      for (String statement : statements(orders)) {
        query(statement);
      }
    } else {
      await(
          "the pod with the first keys did not make the table",
          () -> tableExists() ? "" : "it is not there");
    }
    await("the nodes do not hold one schema", this::disagreement);
  }

  /**
   * Returns the statements for the keyspace and table of cassandra-stress: compact storage, no
   * compression.
   */
  static List<String> statements(Orders orders) {
    StringBuilder columns = new StringBuilder();
    for (int i = 0; i < orders.columns(); i++) {
      columns.append(String.format(", \"C%d\" blob", i));
    }
    return Arrays.asList(
        String.format(
            "CREATE KEYSPACE IF NOT EXISTS %s WITH replication = {'class': 'SimpleStrategy',"
                + " 'replication_factor': %d}",
            KEYSPACE, orders.replicationFactor()),
        String.format(
            "CREATE TABLE IF NOT EXISTS %s.%s (key blob PRIMARY KEY%s) WITH COMPACT STORAGE AND"
                + " compression = {'enabled': false}",
            KEYSPACE, TABLE, columns));
  }

  private boolean tableExists() throws TException {
    CqlResult result =
        query(
            String.format(
                "SELECT table_name FROM system_schema.tables WHERE keyspace_name = '%s' AND"
                    + " table_name = '%s'",
                KEYSPACE, TABLE));
    return result.isSetRows() && !result.getRows().isEmpty();
  }

  private CqlResult query(String statement) throws TException {
    try (Connection connection = new Connection(node, orders.common().timeoutMillis())) {
      return connection
          .client()
          .execute_cql3_query(
              ByteBuffer.wrap(statement.getBytes(StandardCharsets.UTF_8)),
              Compression.NONE,
              ConsistencyLevel.ONE);
    }
  }

  private String disagreement() throws TException {
    try (Connection connection = new Connection(node, orders.common().timeoutMillis())) {
      return disagreement(connection.client().describe_schema_versions(), orders.nodes().size());
    }
  }

  /** Returns why the nodes do not have one common schema; empty if they have. */
  static String disagreement(Map<String, List<String>> versions, int nodes) {
    List<String> lost = versions.get(UNREACHABLE);
    if (lost != null && !lost.isEmpty()) {
      return String.format("%d of %d nodes do not answer: %s", lost.size(), nodes, lost);
    }
    List<String> holders = null;
    for (Map.Entry<String, List<String>> version : versions.entrySet()) {
      if (version.getKey().equals(UNREACHABLE)) {
        continue;
      }
      if (holders != null) {
        return "there are several versions: " + versions.keySet();
      }
      holders = version.getValue();
    }
    int there = holders == null ? 0 : holders.size();
    return there == nodes ? "" : String.format("%d of %d nodes are in the ring", there, nodes);
  }

  private interface Condition {
    /** Returns what is missing; empty if nothing is. */
    String missing() throws TException;
  }

  private static void await(String otherwise, Condition condition)
      throws TException, LoadFailedException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
    for (String missing = condition.missing(); !missing.isEmpty(); missing = condition.missing()) {
      if (System.nanoTime() > deadline) {
        throw new LoadFailedException(otherwise + " after " + DEADLINE_SECONDS + " s: " + missing);
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
  }
}
