package dev.ringside.load;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** A connection of every thread to every arm, opened before the load begins. */
final class WarmConnections implements AutoCloseable {
  private final List<ArmConnections> arms = new ArrayList<>();
  private final List<List<ArmConnection>> byThread = new ArrayList<>();

  /**
   * Connects them all.
   *
   * @throws LoadFailedException if a server cannot be reached; none is open then
   */
  WarmConnections(List<Arm> to, int threads, Connector connector, PrintStream err)
      throws LoadFailedException {
    to.forEach(arm -> arms.add(new ArmConnections(arm, err)));
    AtomicLong sequence = new AtomicLong();
    try {
      for (int thread = 0; thread < threads; thread++) {
        List<ArmConnection> mine = new ArrayList<>();
        byThread.add(mine);
        for (int arm = 0; arm < to.size(); arm++) {
          Endpoint endpoint = to.get(arm).endpointOf(thread);
          mine.add(new ArmConnection(connector, arms.get(arm), endpoint, thread, sequence));
        }
      }
    } catch (LoadFailedException e) {
      close();
      throw e;
    }
  }

  /** Of each thread to each arm. */
  List<List<ArmConnection>> byThread() {
    return byThread;
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
    byThread.forEach(each -> each.forEach(ArmConnection::close));
  }
}
