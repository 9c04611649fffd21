package dev.ringside.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The connections of one thread to one arm. The thread uses the open ones in turn, for one
 * operation each. There is only one if there are as many connections as threads. For one thread;
 * all threads share the sequence.
 */
final class Rotation implements Turn, AutoCloseable {
  private final List<ArmConnection> connections = new ArrayList<>();
  private final AtomicLong sequence;
  private final int batch;
  private int next;

  /**
   * Creates a rotation without connections.
   *
   * @param sequence numbers the operations of all threads
   * @param batch operations that a connection does together
   */
  Rotation(AtomicLong sequence, int batch) {
    this.sequence = sequence;
    this.batch = batch;
  }

  void add(ArmConnection connection) {
    connections.add(connection);
  }

  @Override
  public boolean open() {
    for (int i = 0; i < connections.size(); i++) {
      if (connections.get(next).open()) {
        return true;
      }
      next = (next + 1) % connections.size();
    }
    return false;
  }

  /** Does the next operations of the sequence. Call it only while a connection is open. */
  @Override
  public Outcome take() {
    ArmConnection connection = connections.get(next);
    next = (next + 1) % connections.size();
    return connection.operate(sequence.getAndAdd(batch));
  }

  @Override
  public void due(long nanos) {
    connections.get(next).due(nanos);
  }

  /** Does an operation on each connection. */
  void greet() {
    for (int i = 0; i < connections.size() && open(); i++) {
      take();
    }
  }

  /** Closes and removes the connections; others may be added. */
  @Override
  public void close() {
    connections.forEach(ArmConnection::close);
    connections.clear();
    next = 0;
  }
}
