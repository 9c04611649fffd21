package dev.ringside.cassandra.node;

import dev.ringside.contract.MaintenanceTask;
import java.util.function.Supplier;
import org.apache.cassandra.service.StorageServiceMBean;

/**
 * The task that gives the node's data to the others and leaves the ring, as {@code nodetool
 * decommission}. The process stays, and serves no clients. When it starts again, it joins as a new
 * node (see {@link Departure}).
 */
final class Decommission implements MaintenanceTask {
  private final Supplier<StorageServiceMBean> node;
  private final boolean seed;
  private final Departure departure;
  private Thread runner; // null if the node is not leaving

  /**
   * Creates the task.
   *
   * @param node is asked when the task begins, because the class initializes Cassandra
   * @param seed whether the other nodes join through this one
   */
  Decommission(Supplier<StorageServiceMBean> node, boolean seed, Departure departure) {
    this.node = node;
    this.seed = seed;
    this.departure = departure;
  }

  @Override
  public void run() throws Exception {
    if (seed) { // it could never join again: a seed streams nothing when it starts
      throw new IllegalStateException(
          "this node is the seed, through which the others join; order it of another node");
    }
    if (departure.happened()) { // 5.0 reports success
      throw new IllegalStateException("this node has left the ring; kill it, and it joins again");
    }
    running(Thread.currentThread());
    try {
      node.get().decommission(false);
    } finally {
      running(null);
    }
    departure.record();
  }

  private synchronized void running(Thread thread) {
    runner = thread;
    if (thread == null) {
      Thread.interrupted(); // a stop that came at the end is not for the port's next task
    }
  }

  /**
   * Interrupts it. Cassandra then has the node go on serving, but as one that leaves, until the
   * node starts again.
   */
  @Override
  public synchronized void stop() {
    if (runner != null) {
      runner.interrupt();
    }
  }
}
