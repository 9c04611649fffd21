package dev.ringside.load;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** The connections of every thread to every arm, opened before the load begins. */
final class WarmConnections implements AutoCloseable {
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
    to.forEach(arm -> arms.add(new ArmConnections(arm, err)));
    for (int thread = 0; thread < orders.threads(); thread++) {
      List<Rotation> mine = new ArrayList<>();
      to.forEach(arm -> mine.add(new Rotation(sequence, orders.batch())));
      byThread.add(mine);
    }
    try {
      for (int number = 0; number < orders.connections(); number++) {
        int thread = number % orders.threads();
        for (int arm = 0; arm < to.size(); arm++) {
          Endpoint endpoint = to.get(arm).endpointOf(number);
          byThread
              .get(thread)
              .get(arm)
              .add(new ArmConnection(connector, arms.get(arm), endpoint, thread));
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
