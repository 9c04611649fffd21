package dev.ringside.load;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** The connections of every thread to every arm, opened while no thread uses them. */
final class WarmConnections implements AutoCloseable {
  private final List<Arm> to;
  private final CommonOrders orders;
  private final Connector connector;
  private final List<ArmConnections> arms = new ArrayList<>();
  private final List<List<Rotation>> byThread = new ArrayList<>();
  private final AtomicLong sequence = new AtomicLong();

  /**
   * Connects them all.
   *
   * @throws LoadFailedException if a server cannot be reached; none is open then
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
   * Ends all connections and makes them anew, in the order in which they were made first, so that
   * servers place them as those of another load. A server may serve one connection at a time, so
   * none is made before the last has ended.
   *
   * @throws LoadFailedException if a server cannot be reached; none is open then
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

  /** Of each thread to each arm. */
  List<List<Rotation>> byThread() {
    return byThread;
  }

  /** Numbers the operations of all threads. */
  AtomicLong sequence() {
    return sequence;
  }

  /**
   * Fails when there is nothing left to load.
   *
   * @throws LoadFailedException if all connections to an arm are gone
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
