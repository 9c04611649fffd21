package dev.ringside.load;

/**
 * One thread's connection to one arm. It is opened before the load begins and stays, unless all are
 * opened anew. One that was lost stays lost, since what a new one costs is not what is measured;
 * but where servers are taken away on purpose the next operation opens it anew, at the arm's next
 * endpoint, and is the one that fails if nobody answers there. No operation is tried twice.
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

  /** Connects. */
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

  /** Whether it is of use: it was not lost, or is opened anew by the next operation. */
  boolean open() {
    return open || failsOver;
  }

  /** The next operation was due then. */
  void due(long nanos) {
    dueNanos = nanos;
    if (open) {
      client.due(nanos);
    }
  }

  /** Does the operation of that number. */
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
