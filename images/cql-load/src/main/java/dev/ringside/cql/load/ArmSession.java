package dev.ringside.cql.load;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import dev.ringside.cassandra.load.StressRows;
import dev.ringside.load.Arm;
import dev.ringside.load.LoadFailedException;

/**
 * The session that all clients of one server share. It is open while one of them is, so that
 * connections that are opened again are those of a new session. Safe for any number of threads.
 */
final class ArmSession {
  private final Orders orders;
  private final Arm arm;
  private int clients;
  private CqlSession session;
  private Statements statements;

  ArmSession(Orders orders, Arm arm) {
    this.orders = orders;
    this.arm = arm;
  }

  /**
   * Returns a new client.
   *
   * @throws LoadFailedException if a node of the server cannot be reached
   */
  synchronized CqlClient connect(RowChoice choice) throws LoadFailedException {
    if (session == null) {
      open();
    }
    clients++;
    StressRows rows = new StressRows(orders.columns(), orders.columnSize());
    return new CqlClient(this, orders, choice, new RowClient(session, statements, rows));
  }

  private void open() throws LoadFailedException {
    try {
      session = Sessions.openToAll(arm.endpoints(), DriverSettings.of(orders));
      statements = Statements.prepare(session, orders.columns());
    } catch (DriverException e) {
      close();
      throw new LoadFailedException(CqlFault.text(e), e);
    }
  }

  /** Receives that a client does no operation any more. */
  synchronized void disconnect() {
    clients--;
    if (clients == 0) {
      close();
    }
  }

  private void close() {
    if (session != null) {
      session.close();
    }
    session = null;
  }
}
