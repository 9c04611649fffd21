package dev.ringside.cassandra.node;

import dev.ringside.contract.MaintenanceTask;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.cassandra.service.StorageServiceMBean;

/**
 * The task that makes the node another version of Cassandra on its own data. It drains the node, as
 * {@code nodetool drain}, remembers the version durably, and ends the process; the pod starts again
 * as that version. Drained data have no commit log that the other version would have to read.
 */
final class UpgradeTask implements MaintenanceTask {
  private final Supplier<StorageServiceMBean> node;
  private final Upgrade upgrade;
  private final String version;
  private final Runnable end;

  /**
   * Creates the task.
   *
   * @param node is asked when the task begins, because the class initializes Cassandra
   * @param version of Cassandra that the node is to become
   * @param end ends the process
   */
  UpgradeTask(Supplier<StorageServiceMBean> node, Upgrade upgrade, String version, Runnable end) {
    this.node = node;
    this.upgrade = upgrade;
    this.version = version;
    this.end = end;
  }

  @Override
  public void run() throws Exception {
    Optional<String> before = upgrade.version();
    if (before.isPresent()) {
      throw new IllegalStateException("this node was upgraded to " + before.get() + " before");
    }
    node.get().drain();
    upgrade.record(version);
  }

  /** Does nothing: a node that has begun to drain serves clients only after a restart. */
  @Override
  public void stop() {}

  @Override
  public Optional<Runnable> restart() {
    return Optional.of(end);
  }
}
