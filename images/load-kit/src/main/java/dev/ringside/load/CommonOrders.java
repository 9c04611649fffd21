package dev.ringside.load;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What images/README.md lays down for every load, but for what a load may do. */
public final class CommonOrders {
  private static final String FAILOVER = "RINGSIDE_FAILOVER";

  private final List<Endpoint> endpoints;
  private final Interleaving interleaving;
  private final SearchOrders search;
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

  /** Of a load that does one operation at a time; what is wrong is noted in the source. */
  public CommonOrders(OrderSource in) {
    this(in, 1);
  }

  /**
   * Reads them; what is wrong is noted in the source.
   *
   * @param batch operations that a connection does in one go
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
    interleaving = interleaved ? new Interleaving(in, seconds, threads) : null;
    search = in.has(SearchOrders.PERCENTILE) ? new SearchOrders(in, batch) : null;
    if (search != null && interleaved && interleaving.baseline() >= 0) {
      in.refuse("RINGSIDE_INTERLEAVE is 'duet': a search for a capacity has a server to itself");
    }
    if (search != null && interleaved && interleaving.reconnects()) {
      in.refuse(Interleaving.RECONNECT + " is set: a search for a capacity keeps its connections");
    }
    endpoints = interleaved ? Collections.emptyList() : in.endpoints("RINGSIDE_ENDPOINTS");
  }

  /** Of the one server under test; empty when windows are interleaved. */
  public List<Endpoint> endpoints() {
    return endpoints;
  }

  /** How windows of several servers are interleaved; null for a plain phase of one server. */
  public Interleaving interleaving() {
    return interleaving;
  }

  /** Whether a capacity is searched for, which {@link Load#run} does and few other loads can. */
  public boolean searches() {
    return search != null;
  }

  /** How a capacity is searched for; null where none is. */
  SearchOrders search() {
    return search;
  }

  /** Operations that a connection does in one go: all are due, begin and end together. */
  public int batch() {
    return batch;
  }

  /** Operations of this pod; 0 for a phase bounded in time. */
  public int operations() {
    return operations;
  }

  /** The bound in time; 0 for a phase bounded by operations. */
  public int seconds() {
    return seconds;
  }

  /** Size of the population. */
  public int keys() {
    return keys;
  }

  /** The first key of this pod's share, from 0. */
  public int keyOffset() {
    return keyOffset;
  }

  /** Keys of this pod's share. */
  public int keyCount() {
    return keyCount;
  }

  /** Threads of this pod. */
  public int threads() {
    return threads;
  }

  /** Connections of this pod, to each server: every thread has its own and uses them in turn. */
  public int connections() {
    return connections;
  }

  /** Operations per second over all threads; 0 for a closed loop. */
  public int targetRate() {
    return targetRate;
  }

  /** For a connection, and for each reply. */
  public int timeoutMillis() {
    return timeoutMillis;
  }

  /**
   * How long after the end of a window or a phase what was due in it may still begin: as long as a
   * client waits for an answer. A server that is silent for so long has failed all that it was
   * asked, and one that is hopelessly behind must not make the load endless.
   */
  public long patienceNanos() {
    return TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
  }

  /** Length of a plain phase's log intervals. */
  public int intervalMillis() {
    return intervalMillis;
  }

  /** Where the HdrHistogram log goes. */
  public Path log() {
    return log;
  }

  /** What the load waits for once it is connected, before its first operation. */
  public StartSignal start() {
    return start;
  }

  /** Whether a connection that is lost is opened anew, at the server's next endpoint. */
  public boolean failsOver() {
    return failover;
  }

  /** Where the summary goes. */
  public Path summary() {
    return summary;
  }
}
