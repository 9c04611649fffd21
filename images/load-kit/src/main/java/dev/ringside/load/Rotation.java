package dev.ringside.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One thread's connections to one arm, which it uses in turn: one operation at a time, on the next
 * of those that are left. With as many connections as threads it is a single one. For one thread,
 * but the sequence, which all share.
 */
final class Rotation implements Turn, AutoCloseable {
  private final List<ArmConnection> connections = new ArrayList<>();
  private final AtomicLong sequence;
  private final int batch;
  private int next;

  /**
   * Of no connection yet.
   *
   * @param sequence numbers the operations of all threads
   * @param batch operations that a connection does in one go
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

  /** Does the next operations of the sequence. Only while there is a connection. */
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

  /** Ends the connections; others may be added. */
  @Override
  public void close() {
    connections.forEach(ArmConnection::close);
    connections.clear();
    next = 0;
  }
}
