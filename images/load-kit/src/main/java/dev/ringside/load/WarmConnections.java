package dev.ringside.load;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The connections of all threads to all arms. They are opened and closed while no thread uses them.
 */
final class WarmConnections implements AutoCloseable {
  private final List<Arm> to;
  private final CommonOrders orders;
  private final Connector connector;
  private final List<ArmConnections> arms = new ArrayList<>();
  private final List<List<Rotation>> byThread = new ArrayList<>();
  private final AtomicLong sequence = new AtomicLong();

  /**
   * Opens all connections.
   *
   * @throws LoadFailedException if a server cannot be reached; no connection stays open then
   */
  WarmConnections(List<Arm> to, CommonOrders orders, Connector connector, PrintStream err)
      throws LoadFailedException {
    this.to = to;
    this.orders = orders;
    this.connector = connector;
    to.forEach(arm -> arms.add(new ArmConnections(arm, err)));
    for (int thread = 0; thread < orders.threads(); thread++) {
      List<Rotation> mine = new ArrayList<>();
      to.forEach(arm -> mine.add(new Rotation(sequence, orders.batch())));
      byThread.add(mine);
    }
    open();
  }

  /**
   * Closes all connections and opens them again in the original order, so that servers place them
   * as they place the connections of a new load. All are closed before the first is opened, because
   * a server may serve only one connection at a time.
   *
   * @throws LoadFailedException if a server cannot be reached; no connection stays open then
   */
  void reopen() throws LoadFailedException {
    close();
    open();
  }

  private void open() throws LoadFailedException {
    try {
      for (int number = 0; number < orders.connections(); number++) {
        int thread = number % orders.threads();
        for (int arm = 0; arm < to.size(); arm++) {
          Endpoint endpoint = to.get(arm).endpointOf(number);
          byThread
              .get(thread)
              .get(arm)
              .add(
                  new ArmConnection(
                      connector, arms.get(arm), endpoint, thread, orders.failsOver()));
        }
      }
    } catch (LoadFailedException e) {
      close();
      throw e;
    }
  }

  /** Returns the connections, by thread and arm. */
  List<List<Rotation>> byThread() {
    return byThread;
  }

  /** Returns the counter that numbers the operations of all threads. */
  AtomicLong sequence() {
    return sequence;
  }

  /**
   * Verifies that each arm has an open connection.
   *
   * @throws LoadFailedException if all connections to an arm are closed
   */
  void check() throws LoadFailedException {
    for (ArmConnections arm : arms) {
      arm.check();
    }
  }

  @Override
  public void close() {
    byThread.forEach(each -> each.forEach(Rotation::close));
  }
}
