package dev.ringside.cql.load;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import dev.ringside.cassandra.load.StressRows;
import dev.ringside.load.Client;
import dev.ringside.load.ErrorKind;
import dev.ringside.load.OperationFailedException;
import dev.ringside.load.Outcome;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Writes or reads whole rows, one at a time. Shares its server's session with other clients. */
final class CqlClient implements Client {
  private final ArmSession arm;
  private final Orders orders;
  private final RowChoice choice;
  private final CqlSession session;
  private final PreparedStatement write;
  private final PreparedStatement read;
  private final StressRows rows;
  private boolean closed;

  CqlClient(
      ArmSession arm,
      Orders orders,
      RowChoice choice,
      CqlSession session,
      PreparedStatement write,
      PreparedStatement read) {
    this.arm = arm;
    this.orders = orders;
    this.choice = choice;
    this.session = session;
    this.write = write;
    this.read = read;
    rows = new StressRows(orders.columns(), orders.columnSize());
  }

  @Override
  public Outcome operate(long number) throws OperationFailedException {
    try {
      switch (orders.operation()) {
        case WRITE -> write(choice.written(number));
        case READ -> read(choice.read(number));
      }
      return Outcome.DONE;
    } catch (DriverException e) {
      throw CqlFault.of(e, orders.common().failsOver());
    }
  }

  private void write(long row) {
    byte[] key = rows.key(row);
    byte[][] values = rows.values(key);
    Object[] variables = new Object[values.length + 1];
    for (int i = 0; i < values.length; i++) {
      variables[i] = ByteBuffer.wrap(values[i]);
    }
    variables[values.length] = ByteBuffer.wrap(key);
    session.execute(write.bind(variables));
  }

  private void read(long row) throws OperationFailedException {
    byte[] key = rows.key(row);
    Row found = session.execute(read.bind(ByteBuffer.wrap(key))).one();
    String difference = difference(found, rows.values(key));
    if (!difference.isEmpty()) {
      throw new OperationFailedException(
          ErrorKind.WRONG,
          "key " + new String(key, StandardCharsets.US_ASCII) + ": " + difference,
          null);
    }
  }

  /** Returns how a row differs from what was written; empty if it does not. */
  private static String difference(Row row, byte[][] values) {
    if (row == null) {
      return "it is not there: was it written?";
    }
    for (int i = 0; i < values.length; i++) {
      if (!ByteBuffer.wrap(values[i]).equals(row.getBytesUnsafe(i))) {
        return "column " + i + " differs from what was written";
      }
    }
    return "";
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      arm.disconnect();
    }
  }
}
