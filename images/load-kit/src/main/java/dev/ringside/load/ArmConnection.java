package dev.ringside.load;

/**
 * One thread's connection to one arm. It is opened before the load begins and stays, unless all are
 * opened anew; one that was lost is not opened again, since what a new one costs is not what is
 * measured. Nothing is tried twice.
 */
final class ArmConnection implements AutoCloseable {
  private final ArmConnections all;
  private final Endpoint endpoint;
  private final Client client;
  private boolean open = true;

  /** Connects. */
  ArmConnection(Connector connector, ArmConnections all, Endpoint endpoint, int thread)
      throws LoadFailedException {
    try {
      client = connector.connect(endpoint, thread);
    } catch (Exception e) {
      throw new LoadFailedException("cannot connect to " + endpoint + ": " + e, e);
    }
    this.all = all;
    this.endpoint = endpoint;
    all.opened();
  }

  /** Whether it was not lost. */
  boolean open() {
    return open;
  }

  /** The next operation was due then. */
  void due(long nanos) {
    client.due(nanos);
  }

  /** Does the operation of that number; null if it failed. */
  Outcome operate(long number) {
    try {
      return client.operate(number);
    } catch (ConnectionLostException e) {
      all.failed(endpoint, e);
      close();
    } catch (Exception e) {
      all.failed(endpoint, e);
    }
    return null;
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
