package dev.ringside.load;

import java.util.ArrayList;
import java.util.List;

/**
 * One thread's connections to one arm, which it uses in turn: one operation at a time, on the next
 * of those that are left. With as many connections as threads it is a single one.
 */
final class Rotation implements Turn, AutoCloseable {
  private final List<ArmConnection> connections = new ArrayList<>();
  private int next;

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

  @Override
  public Outcome take() {
    return turn().take();
  }

  /** Does the operation of that number; null if it failed. Only while there is a connection. */
  Outcome operate(long number) {
    return turn().operate(number);
  }

  private ArmConnection turn() {
    ArmConnection connection = connections.get(next);
    next = (next + 1) % connections.size();
    return connection;
  }

  @Override
  public void close() {
    connections.forEach(ArmConnection::close);
  }
}
