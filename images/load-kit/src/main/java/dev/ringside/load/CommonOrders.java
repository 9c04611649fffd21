package dev.ringside.load;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * The settings (orders) that all loads have in common, as docs/reference/load-contract.md defines
 * them. A load reads its own parameters elsewhere.
 */
public final class CommonOrders {
  private static final String FAILOVER = "RINGSIDE_FAILOVER";
  private static final String SEED = "RINGSIDE_SEED";

  private final List<Endpoint> endpoints;
  private final Interleaving interleaving;
  private final SearchOrders search;
  private final long seed;
  private final int batch;
  private final int operations;
  private final int seconds;
  private final int keys;
  private final int keyOffset;
  private final int keyCount;
  private final int threads;
  private final int connections;
  private final int targetRate;
  private final int timeoutMillis;
  private final int intervalMillis;
  private final Path log;
  private final Path summary;
  private final StartSignal start;
  private final boolean failover;

  /**
   * Reads the settings of a load that does one operation at a time. Errors are added to the source.
   */
  public CommonOrders(OrderSource in) {
    this(in, 1);
  }

  /**
   * Reads the settings. Errors are added to the source.
   *
   * @param batch operations that a connection does together
   */
  public CommonOrders(OrderSource in, int batch) {
    this.batch = batch;
    boolean interleaved = in.has(Interleaving.ARMS);
    boolean counted = in.has("RINGSIDE_OPERATIONS");
    boolean timed = in.has("RINGSIDE_DURATION_SECONDS");
    if (interleaved ? counted || !timed : counted == timed) {
      in.refuse(
          interleaved
              ? "interleaved windows take RINGSIDE_DURATION_SECONDS and no RINGSIDE_OPERATIONS"
              : "set one of RINGSIDE_OPERATIONS and RINGSIDE_DURATION_SECONDS");
    }
    operations = counted ? in.number("RINGSIDE_OPERATIONS", 1) : 0;
    seconds = timed ? in.number("RINGSIDE_DURATION_SECONDS", 1) : 0;
    keys = in.number("RINGSIDE_KEYS", 1);
    keyOffset = in.number("RINGSIDE_KEY_OFFSET", 0, 0);
    keyCount = in.number("RINGSIDE_KEY_COUNT", 1, Math.max(1, keys - keyOffset));
    threads = in.number("RINGSIDE_THREADS", 1);
    connections = in.number("RINGSIDE_CONNECTIONS", 1, threads);
    targetRate = in.number("RINGSIDE_TARGET_RATE", 0, 0);
    timeoutMillis = in.number(OrderSource.parameter("timeout-ms"), 1, 30_000);
    intervalMillis = in.number(OrderSource.parameter("log-interval-ms"), 10, 1_000);
    log = in.path("RINGSIDE_HLOG");
    summary = in.path("RINGSIDE_SUMMARY");
    start = new StartSignal(in);
    failover = Boolean.parseBoolean(in.oneOf(FAILOVER, "false", Arrays.asList("true", "false")));
    if (failover && (interleaved || in.has(SearchOrders.PERCENTILE))) {
      in.refuse(FAILOVER + " is 'true': windows and searches end with the connections they lose");
    }
    if (operations % batch != 0) {
      in.refuse(
          String.format(
              "RINGSIDE_OPERATIONS is %d: this load does %d in one go, so give a multiple of that",
              operations, batch));
    }
    if (connections < threads) {
      in.refuse(
          String.format(
              "RINGSIDE_CONNECTIONS is %d for RINGSIDE_THREADS=%d: every thread needs one",
              connections, threads));
    }
    if ((long) keyOffset + keyCount > keys) {
      in.refuse(
          String.format(
              "keys %d to %d are not among RINGSIDE_KEYS=%d",
              keyOffset, (long) keyOffset + keyCount - 1, keys));
    }
    boolean searched = in.has(SearchOrders.PERCENTILE);
    seed = interleaved || searched || in.has(SEED) ? in.seed(SEED) : new Random().nextLong();
    interleaving = interleaved ? new Interleaving(in, seconds, threads, seed) : null;
    search = searched ? new SearchOrders(in, batch) : null;
    if (search != null && interleaved && interleaving.baseline() >= 0) {
      in.refuse("RINGSIDE_INTERLEAVE is 'duet': a search for a capacity has a server to itself");
    }
    if (search != null && interleaved && interleaving.reconnects()) {
      in.refuse(Interleaving.RECONNECT + " is set: a search for a capacity keeps its connections");
    }
    endpoints = interleaved ? Collections.emptyList() : in.endpoints("RINGSIDE_ENDPOINTS");
  }

  /** Returns the endpoints of the only server; empty when windows are interleaved. */
  public List<Endpoint> endpoints() {
    return endpoints;
  }

  /**
   * Returns how windows of several servers are interleaved; null for a plain phase of one server.
   */
  public Interleaving interleaving() {
    return interleaving;
  }

  /**
   * Reports whether the load searches for a capacity. {@link Load#run} supports that; most other
   * loads do not.
   */
  public boolean searches() {
    return search != null;
  }

  /** Returns the settings of the search for a capacity; null if there is none. */
  SearchOrders search() {
    return search;
  }

  /** Returns the seed of all random choices of the load; a random one if none was ordered. */
  public long seed() {
    return seed;
  }

  /**
   * Returns the number of operations that a connection does together: all are due, begin and end at
   * the same time.
   */
  public int batch() {
    return batch;
  }

  /** Returns the number of operations of this pod; 0 for a phase that is bounded by time. */
  public int operations() {
    return operations;
  }

  /** Returns the length of the phase in seconds; 0 for a phase that is bounded by operations. */
  public int seconds() {
    return seconds;
  }

  /** Returns the number of keys of the whole data set. */
  public int keys() {
    return keys;
  }

  /** Returns the first key of this pod's share, from 0. */
  public int keyOffset() {
    return keyOffset;
  }

  /** Returns the number of keys in this pod's share. */
  public int keyCount() {
    return keyCount;
  }

  /** Returns the number of threads of this pod. */
  public int threads() {
    return threads;
  }

  /**
   * Returns the number of connections of this pod to each server. Every thread has its own
   * connections and uses them in turn.
   */
  public int connections() {
    return connections;
  }

  /** Returns the rate in operations per second over all threads; 0 for a closed loop. */
  public int targetRate() {
    return targetRate;
  }

  /** Returns the timeout of a connection attempt and of each reply, in milliseconds. */
  public int timeoutMillis() {
    return timeoutMillis;
  }

  /**
   * Returns how long after the end of a window or a phase an operation that was due may still
   * begin, in nanoseconds: the client's timeout. A server that is silent for that time has failed
   * all requests that it received, and a server that is far behind must not keep the load from
   * ending.
   */
  public long patienceNanos() {
    return TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
  }

  /** Returns the length of a log interval of a plain phase, in milliseconds. */
  public int intervalMillis() {
    return intervalMillis;
  }

  /** Returns the path of the HdrHistogram log. */
  public Path log() {
    return log;
  }

  /**
   * Returns the signal that the load waits for after it has connected, before its first operation.
   */
  public StartSignal start() {
    return start;
  }

  /** Reports whether a lost connection is reopened at the server's next endpoint. */
  public boolean failsOver() {
    return failover;
  }

  /** Returns the path of the summary. */
  public Path summary() {
    return summary;
  }
}
