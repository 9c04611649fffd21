package dev.ringside.thrift.peers;

/** What all servers are given alike, so that they differ by nothing but themselves. */
public final class PeerOptions {
  private final int workers;
  private final int selectors;

  /**
   * Options for one server.
   *
   * @param workers threads that run requests; 0 runs them on the selector threads, which only
   *     {@code threadedselector} can do. Servers that tie a thread to a connection, and those with
   *     one thread for everything, have no use for the number
   * @param selectors threads that watch connections, where a server can have several
   */
  public PeerOptions(int workers, int selectors) {
    if (workers < 0 || selectors < 1) {
      throw new IllegalArgumentException(
          "workers is "
              + workers
              + " and selectors "
              + selectors
              + ": give at least 0 workers and 1 selector");
    }
    this.workers = workers;
    this.selectors = selectors;
  }

  /** Threads that run requests. */
  public int workers() {
    return workers;
  }

  /** Threads that watch connections. */
  public int selectors() {
    return selectors;
  }
}
