package dev.ringside.cql.load;

import com.datastax.oss.driver.api.core.CqlSession;
import java.util.List;
import java.util.function.Function;

/** A table and the operations on it. */
interface Workload {
  /** Returns the keyspace of the table, which is that of the load's sessions. */
  String keyspace();

  /** Returns the name of the table. */
  String table();

  /** Returns the statements that create the keyspace and the table, unless they are there. */
  List<String> statements();

  /** Reports whether the table must be there, because a phase before created it. */
  boolean needsTable();

  /**
   * Prepares the operations in a session and returns what makes a thread's task.
   *
   * @throws dev.ringside.load.OrdersException if the store does not understand an operation
   */
  Function<RowChoice, Task> prepare(CqlSession session);
}
