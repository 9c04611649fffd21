package dev.ringside.cassandra.node;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.transport.SimpleClient;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.apache.cassandra.utils.ByteBufferUtil;

/** One write and one read at QUORUM over CQL, for the chart's Helm test. */
final class WriteRead {
  private static final String KEYSPACE = "ringside_check";

  private WriteRead() {}

  /**
   * Writes and reads one row in a keyspace of its own, and drops the keyspace.
   *
   * @param server {@code host:port}
   */
  static void check(String server, int replicationFactor) throws IOException {
    DatabaseDescriptor.clientInitialization();
    int colon = server.lastIndexOf(':');
    int port = Integer.parseInt(server.substring(colon + 1));
    try (SimpleClient client = SimpleClient.builder(server.substring(0, colon), port).build()) {
      client.connect(false);
      // Until all nodes know the table, writes fail, and the check is repeated.
      client.execute(
          "CREATE KEYSPACE IF NOT EXISTS "
              + KEYSPACE
              + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': "
              + replicationFactor
              + "}",
          ConsistencyLevel.ONE);
      client.execute(
          "CREATE TABLE IF NOT EXISTS " + KEYSPACE + ".rows (key text PRIMARY KEY, value text)",
          ConsistencyLevel.ONE);
      String wanted = Instant.now().toString();
      client.execute(
          "INSERT INTO " + KEYSPACE + ".rows (key, value) VALUES ('one', '" + wanted + "')",
          ConsistencyLevel.QUORUM);
      ResultMessage answer =
          client.execute(
              "SELECT value FROM " + KEYSPACE + ".rows WHERE key = 'one'", ConsistencyLevel.QUORUM);
      client.execute("DROP KEYSPACE " + KEYSPACE, ConsistencyLevel.ONE);
      String is = text(((ResultMessage.Rows) answer).result.rows.get(0).get(0));
      if (!is.equals(wanted)) {
        throw new IOException("wrote " + wanted + ", but read " + is);
      }
    }
  }

  private static String text(ByteBuffer value) throws IOException {
    return ByteBufferUtil.string(value);
  }
}
