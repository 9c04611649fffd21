package dev.ringside.thrift.peers;

/**
 * The options that are the same for all servers, so that nothing but the server differs, or the
 * defaults of each.
 */
public final class PeerOptions {
  /** Gives no number: each server has the threads that its library chooses. */
  public static final PeerOptions DEFAULTS = new PeerOptions();

  private final int workers;
  private final int selectors;

  private PeerOptions() {
    workers = -1;
    selectors = -1;
  }

  /**
   * Creates options.
   *
   * @param workers number of threads that run requests. With 0, requests run on the selector
   *     threads, which only {@code threadedselector} supports. Servers with a thread per connection
   *     or a single thread ignore it
   * @param selectors number of threads that watch connections, for servers with several
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

  /** Reports whether the numbers are those of each server's library; then there are none here. */
  public boolean areDefaults() {
    return selectors < 0;
  }

  /** Returns the number of threads that run requests. */
  public int workers() {
    return workers;
  }

  /** Returns the number of threads that watch connections. */
  public int selectors() {
    return selectors;
  }
}
