package dev.ringside.cql.load;

import dev.ringside.load.OperationFailedException;
import dev.ringside.load.Outcome;

/** What a client does again and again. For one thread. */
interface Task {
  /**
   * Does an operation.
   *
   * @param number number of the operation in this pod, from 0
   * @throws OperationFailedException if the answer is wrong
   * @throws com.datastax.oss.driver.api.core.DriverException if the operation failed
   */
  Outcome run(long number) throws OperationFailedException;
}
