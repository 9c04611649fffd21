package dev.ringside.cql.load;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import dev.ringside.load.Arm;
import dev.ringside.load.LoadFailedException;
import dev.ringside.load.OrdersException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Creates the table of a workload and waits until all nodes have it, on each store that the servers
 * are part of: CREATE changes nothing where an earlier server created it. A table that two pods
 * create at once would get two ids, so the pod with the first keys creates it and the others wait.
 */
final class Table {
  private static final Duration DEADLINE = Duration.ofSeconds(60);
  private static final Duration STATEMENT_TIMEOUT = Duration.ofSeconds(20);
  private static final long POLL_MILLIS = 200;

  private final Orders orders;
  private final Workload workload;

  Table(Orders orders, Workload workload) {
    this.orders = orders;
    this.workload = workload;
  }

  /**
   * Returns after every node of every server has the table.
   *
   * @throws LoadFailedException if the table cannot be created, or a node does not have it in time
   */
  void prepare() throws LoadFailedException, InterruptedException {
    Set<String> prepared = new HashSet<>();
    for (Arm arm : orders.arms()) {
      if (prepared.add(arm.endpoints().toString())) {
        prepare(arm);
      }
    }
  }

  private void prepare(Arm arm) throws LoadFailedException, InterruptedException {
    try (CqlSession session =
        Sessions.open(arm.endpoints(), DriverSettings.ofPreparation(STATEMENT_TIMEOUT))) {
      makeOrAwait(session, arm.endpoints().size());
      session.execute("USE " + workload.keyspace());
      workload.prepare(session); // to reject what the store does not understand
    } catch (DriverException e) {
      throw new LoadFailedException(
          "cannot prepare the table at " + arm.endpoints() + ": " + CqlFault.text(e), e);
    } catch (OrdersException e) {
      throw new OrdersException(of(arm) + e.getMessage());
    } catch (LoadFailedException e) {
      throw new LoadFailedException(of(arm) + e.getMessage(), e);
    }
  }

  /** Returns the start of a message that names one of several servers. */
  private static String of(Arm arm) {
    return arm.name().isEmpty() ? "" : arm.name() + ": ";
  }

  private void makeOrAwait(CqlSession session, int nodes)
      throws LoadFailedException, InterruptedException {
    if (workload.needsTable()) {
      if (!exists(session)) {
        throw new OrdersException(
            "the table "
                + workload.keyspace()
                + "."
                + workload.table()
                + " is not there: reads need a write phase before them");
      }
      return;
    }
    if (orders.common().keyOffset() == 0) {
      await("nodes are missing", () -> Sessions.missing(session, nodes));
      create(session);
    } else {
      await(
          "the pod with the first keys did not make the table",
          () -> exists(session) ? "" : "it is not there");
    }
    await(
        "the nodes do not hold one schema",
        () -> session.checkSchemaAgreement() ? "" : "there are several versions");
  }

  private void create(CqlSession session) {
    try {
      workload.statements().forEach(session::execute);
    } catch (QueryValidationException e) {
      throw new OrdersException("the store rejects the table: " + e.getMessage());
    }
  }

  private boolean exists(CqlSession session) {
    return session
            .execute(
                "SELECT table_name FROM system_schema.tables WHERE keyspace_name = '"
                    + workload.keyspace()
                    + "' AND table_name = '"
                    + workload.table()
                    + "'")
            .one()
        != null;
  }

  private interface Condition {
    /** Returns what is missing; empty if nothing is. */
    String missing();
  }

  private static void await(String otherwise, Condition condition)
      throws LoadFailedException, InterruptedException {
    long deadline = System.nanoTime() + DEADLINE.toNanos();
    for (String missing = condition.missing(); !missing.isEmpty(); missing = condition.missing()) {
      if (System.nanoTime() > deadline) {
        throw new LoadFailedException(
            otherwise + " after " + DEADLINE.toSeconds() + " s: " + missing);
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
  }
}
