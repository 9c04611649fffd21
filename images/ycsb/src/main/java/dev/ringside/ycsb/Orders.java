package dev.ringside.ycsb;

import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Properties;
import java.util.function.UnaryOperator;
import site.ycsb.Client;
import site.ycsb.workloads.CoreWorkload;

/** A pod's orders, as images/README.md lays them down, read from the environment and checked. */
final class Orders {
  private static final List<String> DISTRIBUTIONS =
      Arrays.asList("uniform", "zipfian", "latest", "hotspot");

  /** YCSB waits a random part of a thread's interval at the start, as an int of nanoseconds. */
  private static final double LEAST_RATE_PER_THREAD = 0.5;

  private final UnaryOperator<String> environment;
  private final Operation operation;
  private final List<Endpoint> endpoints = new ArrayList<>();
  private final int operations;
  private final int seconds;
  private final int keys;
  private final int keyOffset;
  private final int keyCount;
  private final int threads;
  private final int targetRate;
  private final String distribution;
  private final int valueBytes;
  private final int scanLength;
  private final double readProportion;
  private final int timeoutMillis;
  private final int intervalMillis;
  private final Path log;
  private final Path summary;

  private Orders(UnaryOperator<String> environment) {
    this.environment = environment;
    operation = Operation.of(text("RINGSIDE_OPERATION", ""));
    for (String endpoint : text("RINGSIDE_ENDPOINTS", "").split(",")) {
      endpoints.add(Endpoint.of(endpoint.trim()));
    }
    boolean counted = !text("RINGSIDE_OPERATIONS", "").isEmpty();
    boolean timed = !text("RINGSIDE_DURATION_SECONDS", "").isEmpty();
    if (counted == timed) {
      throw new IllegalArgumentException(
          "set one of RINGSIDE_OPERATIONS and RINGSIDE_DURATION_SECONDS");
    }
    operations = counted ? number("RINGSIDE_OPERATIONS", 1, null) : 0;
    seconds = timed ? number("RINGSIDE_DURATION_SECONDS", 1, null) : 0;
    keys = number("RINGSIDE_KEYS", 1, null);
    keyOffset = number("RINGSIDE_KEY_OFFSET", 0, "0");
    keyCount = number("RINGSIDE_KEY_COUNT", 1, Integer.toString(keys - keyOffset));
    threads = number("RINGSIDE_THREADS", 1, null);
    targetRate = number("RINGSIDE_TARGET_RATE", 0, "0");
    distribution = text(parameter("distribution"), "uniform");
    valueBytes = number(parameter("value-size"), 1, "100");
    scanLength = number(parameter("scan-length"), 1, "100");
    readProportion = proportion();
    timeoutMillis = number(parameter("timeout-ms"), 1, "30000");
    intervalMillis = number(parameter("log-interval-ms"), 10, "1000");
    log = path("RINGSIDE_HLOG");
    summary = path("RINGSIDE_SUMMARY");
    check();
  }

  /**
   * Reads the environment.
   *
   * @throws IllegalArgumentException with one line that names the variable, what it was and what it
   *     may be
   */
  static Orders of(UnaryOperator<String> environment) {
    return new Orders(environment);
  }

  private void check() {
    if (!text("RINGSIDE_CONSISTENCY", "").isEmpty()) {
      throw new IllegalArgumentException(
          "RINGSIDE_CONSISTENCY is '"
              + text("RINGSIDE_CONSISTENCY", "")
              + "': the stub has no consistency levels, leave it out of the phase");
    }
    if ((long) keyOffset + keyCount > keys) {
      throw new IllegalArgumentException(
          String.format(
              "keys %d to %d are not among RINGSIDE_KEYS=%d",
              keyOffset, (long) keyOffset + keyCount - 1, keys));
    }
    if (inserting() && operations > keyCount) {
      throw new IllegalArgumentException(
          String.format(
              "RINGSIDE_OPERATIONS is %d but this pod has %d keys to %s: raise keys, or give the"
                  + " phase a duration",
              operations, keyCount, operation.id()));
    }
    if (operation == Operation.INSERT && seconds > 0) {
      throw new IllegalArgumentException(
          "operation 'insert' takes operations, not a duration: it has only so many keys");
    }
    if (!inserting() && operations > 0 && operations < threads
        || inserting() && operations < threads) {
      throw new IllegalArgumentException(
          String.format(
              "RINGSIDE_OPERATIONS is %d for RINGSIDE_THREADS=%d: every thread needs one",
              operations, threads));
    }
    if (targetRate > 0 && targetRate < LEAST_RATE_PER_THREAD * threads) {
      throw new IllegalArgumentException(
          String.format(
              "RINGSIDE_TARGET_RATE is %d for RINGSIDE_THREADS=%d: a thread needs %.1f operations"
                  + " per second at least, use fewer threads",
              targetRate, threads, LEAST_RATE_PER_THREAD));
    }
    if (!DISTRIBUTIONS.contains(distribution)) {
      throw new IllegalArgumentException(
          parameter("distribution")
              + " is '"
              + distribution
              + "': it is one of "
              + String.join(", ", DISTRIBUTIONS));
    }
  }

  /** Whether YCSB's load phase does it: each key once, in order. */
  boolean inserting() {
    return operation == Operation.INSERT || operation == Operation.WRITE && operations > 0;
  }

  Operation operation() {
    return operation;
  }

  List<Endpoint> endpoints() {
    return Collections.unmodifiableList(endpoints);
  }

  /** Operations of one of the threads; 0 for a phase bounded in time. */
  int operationsOf(int thread) {
    return operations / threads + (thread < operations % threads ? 1 : 0);
  }

  int seconds() {
    return seconds;
  }

  int threads() {
    return threads;
  }

  /** Operations per second over all threads; 0 for a closed loop. */
  int targetRate() {
    return targetRate;
  }

  int timeoutMillis() {
    return timeoutMillis;
  }

  int intervalMillis() {
    return intervalMillis;
  }

  Path log() {
    return log;
  }

  Path summary() {
    return summary;
  }

  /** The same in YCSB's words. */
  Properties properties() {
    Properties properties = new Properties();
    properties.setProperty(Client.RECORD_COUNT_PROPERTY, Integer.toString(keys));
    properties.setProperty(Client.OPERATION_COUNT_PROPERTY, Integer.toString(operations));
    properties.setProperty("insertstart", Integer.toString(keyOffset));
    properties.setProperty("insertcount", Integer.toString(keyCount));
    if (!inserting()) {
      // Reads and updates draw from all keys; YCSB takes insertstart and insertcount for them too.
      properties.setProperty("insertstart", "0");
      properties.setProperty("insertcount", Integer.toString(keys));
    }
    properties.setProperty(CoreWorkload.FIELD_COUNT_PROPERTY, "1");
    properties.setProperty(CoreWorkload.FIELD_LENGTH_PROPERTY, Integer.toString(valueBytes));
    properties.setProperty(CoreWorkload.REQUEST_DISTRIBUTION_PROPERTY, distribution);
    properties.setProperty(CoreWorkload.MAX_SCAN_LENGTH_PROPERTY, Integer.toString(scanLength));
    properties.setProperty("minscanlength", Integer.toString(scanLength));
    properties.setProperty(
        CoreWorkload.READ_PROPORTION_PROPERTY, Double.toString(proportionOf(Operation.READ)));
    properties.setProperty(
        CoreWorkload.UPDATE_PROPORTION_PROPERTY, Double.toString(proportionOf(Operation.UPDATE)));
    properties.setProperty(
        CoreWorkload.SCAN_PROPORTION_PROPERTY, Double.toString(proportionOf(Operation.SCAN)));
    properties.setProperty(CoreWorkload.INSERT_PROPORTION_PROPERTY, "0");
    properties.setProperty(Client.DO_TRANSACTIONS_PROPERTY, Boolean.toString(!inserting()));
    properties.setProperty(Client.THREAD_COUNT_PROPERTY, Integer.toString(threads));
    // So that YCSB tells the binding when its schedule wanted an operation to start.
    properties.setProperty("measurement.interval", "both");
    return properties;
  }

  private double proportionOf(Operation kind) {
    switch (operation) {
      case MIXED:
        if (kind == Operation.READ) {
          return readProportion;
        }
        return kind == Operation.UPDATE ? 1 - readProportion : 0;
      case WRITE:
        // By duration: the binding puts what YCSB calls an update.
        return kind == Operation.UPDATE ? 1 : 0;
      default:
        return kind == operation ? 1 : 0;
    }
  }

  private double proportion() {
    String name = parameter("read-proportion");
    String value = text(name, "0.5");
    try {
      double proportion = Double.parseDouble(value);
      if (proportion >= 0 && proportion <= 1) {
        return proportion;
      }
    } catch (NumberFormatException e) {
      // answered below, with the same words
    }
    throw new IllegalArgumentException(name + " is '" + value + "': give a number from 0 to 1");
  }

  private static String parameter(String name) {
    return "RINGSIDE_PARAM_"
        + name.toUpperCase(java.util.Locale.ROOT).replace('-', '_').replace('.', '_');
  }

  private Path path(String name) {
    String value = text(name, "");
    if (value.isEmpty()) {
      throw new IllegalArgumentException(name + " is empty: say where to write");
    }
    return Paths.get(value);
  }

  private String text(String name, String otherwise) {
    String value = environment.apply(name);
    return value == null || value.trim().isEmpty() ? otherwise : value.trim();
  }

  private int number(String name, int min, String otherwise) {
    String value = text(name, otherwise == null ? "" : otherwise);
    try {
      int number = Integer.parseInt(value);
      if (number >= min) {
        return number;
      }
    } catch (NumberFormatException e) {
      // answered below, with the same words
    }
    throw new IllegalArgumentException(
        name + " is '" + value + "': give a whole number from " + min + " to " + Integer.MAX_VALUE);
  }
}
