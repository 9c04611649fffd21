package dev.ringside.cql.load;

import com.datastax.oss.driver.api.core.DriverException;
import dev.ringside.load.Client;
import dev.ringside.load.OperationFailedException;
import dev.ringside.load.Outcome;

/** Does one operation at a time. Shares its server's session with other clients. */
final class CqlClient implements Client {
  private final ArmSession arm;
  private final Task task;
  private final boolean failsOver;
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
  }

  @Override
  public Outcome operate(long number) throws OperationFailedException {
    try {
      return task.run(number);
    } catch (DriverException e) {
      throw CqlFault.of(e, failsOver);
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
