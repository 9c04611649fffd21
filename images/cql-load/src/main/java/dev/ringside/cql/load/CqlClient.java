package dev.ringside.cql.load;

import com.datastax.oss.driver.api.core.DriverException;
import dev.ringside.load.Client;
import dev.ringside.load.ErrorKind;
import dev.ringside.load.OperationFailedException;
import dev.ringside.load.Outcome;

/** Does one operation at a time. Shares its server's session with other clients. */
final class CqlClient implements Client {
  private final ArmSession arm;
  private final Task task;
  private final boolean failsOver;
  private int connections;
  private boolean closed;

  /**
   * Creates a client of a session.
   *
   * @param failsOver whether nodes are lost on purpose
   */
  CqlClient(ArmSession arm, Task task, boolean failsOver) {
    this.arm = arm;
    this.task = task;
    this.failsOver = failsOver;
    connections = arm.connections();
  }

  @Override
  public Outcome operate(long number) throws OperationFailedException {
    if (!failsOver) {
      checkConnections();
    }
    try {
      return task.run(number);
    } catch (DriverException e) {
      throw CqlFault.of(e, failsOver);
    }
  }

  /**
   * Fails once for connections that were closed since the last operation. The driver would silently
   * give their share of the load to other connections.
   */
  private void checkConnections() throws OperationFailedException {
    int before = connections;
    connections = arm.connections();
    if (connections < before) {
      throw new OperationFailedException(
          ErrorKind.BROKEN,
          String.format(
              "%d of %d connections were closed: those that are left have their share of the load",
              before - connections, before),
          null);
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      arm.disconnect();
    }
  }
}
