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
  private final List<AtomicLong> sequences = new ArrayList<>();

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
    for (Arm arm : to) {
      arms.add(new ArmConnections(arm, err));
      sequences.add(newSequence(arm));
    }
    for (int thread = 0; thread < orders.threads(); thread++) {
      List<Rotation> mine = new ArrayList<>();
      sequences.forEach(sequence -> mine.add(new Rotation(sequence, orders.batch())));
      byThread.add(mine);
    }
    open();
  }

  /**
   * Returns the sequence of an earlier arm of the same store, so that no two operations on a store
   * have one number, or a new one: stores on hosts of their own get the same numbers, and so the
   * same keys where these follow the numbers.
   */
  private AtomicLong newSequence(Arm arm) {
    for (int earlier = 0; earlier < sequences.size(); earlier++) {
      if (to.get(earlier).sharesAHostWith(arm)) {
        return sequences.get(earlier);
      }
    }
    return new AtomicLong();
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

  /** Returns the counter that numbers the operations of all threads on an arm. */
  AtomicLong sequence(int arm) {
    return sequences.get(arm);
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
