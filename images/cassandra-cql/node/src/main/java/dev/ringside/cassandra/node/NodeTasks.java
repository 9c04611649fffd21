package dev.ringside.cassandra.node;

import dev.ringside.contract.MaintenanceTask;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.schema.SchemaConstants;
import org.apache.cassandra.service.ActiveRepairService.ParentRepairStatus;
import org.apache.cassandra.service.StorageServiceMBean;

/**
 * The tasks of maintenance of this node, by the names in charts/cassandra-cql/Chart.yaml, as {@code
 * nodetool} orders them. All but {@code decommission} work on all keyspaces that are not
 * Cassandra's own. {@link UpgradeTask} is not among them: few nodes can carry it out.
 */
final class NodeTasks {
  /**
   * A full repair of all ranges of the node, as {@code nodetool repair -full}. An incremental one
   * would find less to do each time.
   */
  private static final Map<String, String> FULL =
      Map.of("incremental", "false", "primaryRange", "false", "parallelism", "parallel");

  /** SSTables that a cleanup works on at once: nodetool's default. */
  private static final int JOBS = 2;

  private static final int POLL_MILLIS = 50;

  private final Supplier<StorageServiceMBean> node;
  private final MaintenanceTask decommission;

  /**
   * Creates the object.
   *
   * @param node is asked when a task begins, because the class initializes Cassandra
   * @param seed whether the other nodes join through this one
   */
  NodeTasks(Supplier<StorageServiceMBean> node, boolean seed, Departure departure) {
    this.node = node;
    decommission = new Decommission(node, seed, departure);
  }

  /** Returns the tasks by name. */
  Map<String, MaintenanceTask> byName() {
    return Map.of(
        "repair", task(this::repair, () -> node.get().forceTerminateAllRepairSessions()),
        "compact",
            task(
                (keyspace, stopped) -> node.get().forceKeyspaceCompaction(false, keyspace),
                NodeTasks::stopMajorCompactions),
        "cleanup",
            task(
                this::cleanUp,
                () -> CompactionManager.instance.stopCompaction(OperationType.CLEANUP.name())),
        "flush", task((keyspace, stopped) -> node.get().forceKeyspaceFlush(keyspace), () -> {}),
        "decommission", decommission);
  }

  /** Work on one keyspace, which may ask whether the task was stopped. */
  private interface OnKeyspace {
    void run(String keyspace, BooleanSupplier stopped) throws Exception;
  }

  private MaintenanceTask task(OnKeyspace work, Runnable stop) {
    return new MaintenanceTask() {
      private volatile boolean stopped;

      @Override
      public void run() throws Exception {
        stopped = false;
        List<String> keyspaces = keyspaces(node.get().getNonSystemKeyspaces());
        if (keyspaces.isEmpty()) {
          throw new IllegalStateException("there is no keyspace but Cassandra's own");
        }
        for (String keyspace : keyspaces) {
          work.run(keyspace, () -> stopped);
          if (stopped) {
            throw new IllegalStateException("the task was stopped");
          }
        }
      }

      @Override
      public void stop() {
        stopped = true;
        stop.run();
      }
    };
  }

  /** Returns those that are not Cassandra's own. */
  static List<String> keyspaces(List<String> all) {
    return all.stream()
        .filter(name -> !SchemaConstants.isSystemKeyspace(name))
        .sorted()
        .collect(Collectors.toList());
  }

  private static void stopMajorCompactions() {
    // 4.1 has no type of its own for them.
    String own = "MAJOR_COMPACTION";
    boolean there = Stream.of(OperationType.values()).anyMatch(type -> type.name().equals(own));
    CompactionManager.instance.stopCompaction(there ? own : OperationType.COMPACTION.name());
  }

  private void repair(String keyspace, BooleanSupplier stopped) throws InterruptedException {
    int command = node.get().repairAsync(keyspace, FULL);
    if (command == 0) {
      throw new IllegalStateException(
          "keyspace " + keyspace + " has one copy of each row, so there is nothing to repair");
    }
    List<String> status = node.get().getParentRepairStatus(command);
    while (!stopped.getAsBoolean()
        && (status == null || is(status, ParentRepairStatus.IN_PROGRESS))) {
      Thread.sleep(POLL_MILLIS);
      status = node.get().getParentRepairStatus(command);
    }
    if (!stopped.getAsBoolean() && !is(status, ParentRepairStatus.COMPLETED)) {
      throw new IllegalStateException(
          "repair of keyspace " + keyspace + ": " + String.join(": ", status));
    }
  }

  private static boolean is(List<String> status, ParentRepairStatus wanted) {
    return status.get(0).equals(wanted.name());
  }

  private void cleanUp(String keyspace, BooleanSupplier stopped) throws Exception {
    // nodetool calls 1 an abort and 2 a failure.
    int status = node.get().forceKeyspaceCleanup(JOBS, keyspace);
    if (status != 0) {
      throw new IllegalStateException("cleanup of keyspace " + keyspace + " ended as " + status);
    }
  }
}
