package dev.ringside.cql.load;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import dev.ringside.cassandra.load.StressRows;
import dev.ringside.load.ErrorKind;
import dev.ringside.load.OperationFailedException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Writes and reads rows of cassandra-stress, and verifies what it reads. For one thread. */
final class RowClient {
  private final CqlSession session;
  private final Statements statements;
  private final StressRows rows;

  RowClient(CqlSession session, Statements statements, StressRows rows) {
    this.session = session;
    this.statements = statements;
    this.rows = rows;
  }

  void write(long row) {
    byte[] key = rows.key(row);
    byte[][] values = rows.values(key);
    Object[] variables = new Object[values.length + 1];
    for (int i = 0; i < values.length; i++) {
      variables[i] = ByteBuffer.wrap(values[i]);
    }
    variables[values.length] = ByteBuffer.wrap(key);
    session.execute(statements.write().bind(variables));
  }

  void read(long row) throws OperationFailedException {
    byte[] key = rows.key(row);
    verify(key, session.execute(statements.read().bind(ByteBuffer.wrap(key))).one(), 0);
  }

  void readAll(long[] numbers) throws OperationFailedException {
    List<byte[]> keys = new ArrayList<>(numbers.length);
    List<ByteBuffer> wrapped = new ArrayList<>(numbers.length);
    for (long number : numbers) {
      byte[] key = rows.key(number);
      keys.add(key);
      wrapped.add(ByteBuffer.wrap(key));
    }
    Map<ByteBuffer, Row> found = new HashMap<>();
    for (Row row : session.execute(statements.multiget().bind(wrapped))) {
      found.put(row.getBytesUnsafe(0), row);
    }
    for (byte[] key : keys) {
      verify(key, found.get(ByteBuffer.wrap(key)), 1);
    }
  }

  /** Compares a row, whose values begin at a column, with what was written. */
  private void verify(byte[] key, Row row, int from) throws OperationFailedException {
    String difference = difference(row, from, rows.values(key));
    if (!difference.isEmpty()) {
      throw new OperationFailedException(
          ErrorKind.WRONG,
          "key " + new String(key, StandardCharsets.US_ASCII) + ": " + difference,
          null);
    }
  }

  private static String difference(Row row, int from, byte[][] values) {
    if (row == null) {
      return "it is not there: was it written?";
    }
    for (int i = 0; i < values.length; i++) {
      if (!ByteBuffer.wrap(values[i]).equals(row.getBytesUnsafe(from + i))) {
        return "column " + i + " differs from what was written";
      }
    }
    return "";
  }
}
