package dev.ringside.cql.load;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.metadata.Node;
import dev.ringside.load.Arm;
import dev.ringside.load.LoadFailedException;
import java.util.function.Function;

/**
 * The session that all clients of one server share. It is open while one of them is, so that
 * connections that are opened again are those of a new session. Safe for any number of threads.
 */
final class ArmSession {
  private final Orders orders;
  private final Workload workload;
  private final Arm arm;
  private int clients;
  private CqlSession session;
  // Written while no client does operations.
  private volatile Node[] nodes = {};
  private Function<RowChoice, Task> tasks;

  ArmSession(Orders orders, Workload workload, Arm arm) {
    this.orders = orders;
    this.workload = workload;
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
    return new CqlClient(this, tasks.apply(choice), orders.common().failsOver());
  }

  private void open() throws LoadFailedException {
    try {
      session =
          Sessions.openToAll(
              arm.endpoints(),
              DriverSettings.of(orders, workload.keyspace()),
              workload.keyspace(),
              orders.common().failsOver());
      nodes = session.getMetadata().getNodes().values().toArray(Node[]::new);
      tasks = workload.prepare(session);
    } catch (DriverException e) {
      close();
      throw new LoadFailedException(CqlFault.text(e), e);
    }
  }

  /** Returns the number of connections that are open. */
  int connections() {
    int open = 0;
    for (Node node : nodes) {
      open += node.getOpenConnections();
    }
    return open;
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
