package dev.ringside.load;

/**
 * One connection of one thread to one arm. It is opened before the load begins and stays open,
 * unless all connections are reopened between windows.
 *
 * <p>A lost connection stays lost, because the cost of a new one is not what is measured. Where
 * servers are stopped on purpose ({@link CommonOrders#failsOver}), the next operation opens it
 * again at the arm's next endpoint, and fails if nothing answers there. No operation is tried
 * twice.
 *
 * <p>For one thread at a time.
 */
final class ArmConnection implements AutoCloseable {
  private final Connector connector;
  private final ArmConnections all;
  private final int thread;
  private final boolean failsOver;
  private Endpoint endpoint;
  private Client client;
  private boolean open;
  private long dueNanos;

  /**
   * Creates the connection and opens it.
   *
   * @throws LoadFailedException if the server cannot be reached
   */
  ArmConnection(
      Connector connector, ArmConnections all, Endpoint endpoint, int thread, boolean failsOver)
      throws LoadFailedException {
    this.connector = connector;
    this.all = all;
    this.endpoint = endpoint;
    this.thread = thread;
    this.failsOver = failsOver;
    try {
      connect();
    } catch (Exception e) {
      throw new LoadFailedException("cannot connect to " + endpoint + ": " + e, e);
    }
  }

  private void connect() throws Exception {
    client = connector.connect(endpoint, thread);
    open = true;
    all.opened();
  }

  /**
   * Reports whether operations can be done: the connection is open, or the next operation reopens
   * it.
   */
  boolean open() {
    return open || failsOver;
  }

  /** Notes when the next operation was due, as {@link System#nanoTime}. */
  void due(long nanos) {
    dueNanos = nanos;
    if (open) {
      client.due(nanos);
    }
  }

  /** Does the operation with that number, and counts and reports a failure. */
  Outcome operate(long number) {
    try {
      if (!open) {
        endpoint = all.endpointAfter(endpoint);
        connect();
        client.due(dueNanos);
      }
      return client.operate(number);
    } catch (ConnectionLostException e) {
      close();
      return failed(e);
    } catch (Exception e) {
      return failed(e);
    }
  }

  private Outcome failed(Exception fault) {
    all.failed(endpoint, fault);
    return Outcome.failed(ErrorKind.of(fault));
  }

  @Override
  public void close() {
    if (open) {
      all.ended();
    }
    open = false;
    client.close();
  }
}
