package dev.ringside.ycsb;

import dev.ringside.load.CommonOrders;
import dev.ringside.load.OrderSource;
import dev.ringside.load.OrdersException;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.function.UnaryOperator;
import site.ycsb.Client;
import site.ycsb.workloads.CoreWorkload;

/**
 * Holds a pod's orders as docs/reference/load-contract.md defines them, read from the environment
 * and checked.
 */
final class Orders {
  private static final List<String> DISTRIBUTIONS =
      Arrays.asList("uniform", "zipfian", "latest", "hotspot");

  /**
   * Smallest rate: at the start, YCSB waits a random part of a thread's interval, as nanoseconds in
   * an int.
   */
  private static final double LEAST_RATE_PER_THREAD = 0.5;

  private final Operation operation;
  private final CommonOrders common;
  private final String distribution;
  private final int valueBytes;
  private final int scanLength;
  private final double readProportion;

  private Orders(OrderSource in) {
    operation = Operation.of(in.oneOf("RINGSIDE_OPERATION", "", Operation.ids()));
    common = new CommonOrders(in);
    distribution = in.oneOf(OrderSource.parameter("distribution"), "uniform", DISTRIBUTIONS);
    valueBytes = in.number(OrderSource.parameter("value-size"), 1, 100);
    scanLength = in.number(OrderSource.parameter("scan-length"), 1, 100);
    readProportion = proportion(in);
    check(in);
    in.check();
  }

  /**
   * Reads the environment.
   *
   * @throws OrdersException with one line that lists all errors: the variable, its value and the
   *     valid values
   */
  static Orders of(UnaryOperator<String> environment) {
    return new Orders(new OrderSource(environment));
  }

  private void check(OrderSource in) {
    int operations = common.operations();
    int threads = common.threads();
    if (common.interleaving() != null) {
      in.refuse("RINGSIDE_ARMS is set: YCSB knows no interleaved windows, leave them out");
    }
    if (common.connections() != threads) {
      in.refuse(
          String.format(
              "RINGSIDE_CONNECTIONS is %d for RINGSIDE_THREADS=%d: each thread of YCSB has its own"
                  + " connection, leave them out or make them equal",
              common.connections(), threads));
    }
    if (common.searches()) {
      in.refuse("RINGSIDE_CAPACITY_PERCENTILE is set: YCSB searches for no capacity, leave it out");
    }
    if (in.has("RINGSIDE_CONSISTENCY")) {
      in.refuse(
          "RINGSIDE_CONSISTENCY is '"
              + in.text("RINGSIDE_CONSISTENCY", "")
              + "': the stub has no consistency levels, leave it out of the phase");
    }
    if (inserting() && operations > common.keyCount()) {
      in.refuse(
          String.format(
              "RINGSIDE_OPERATIONS is %d but this pod has %d keys to %s: raise keys, or give the"
                  + " phase a duration",
              operations, common.keyCount(), operation.id()));
    }
    if (operation == Operation.INSERT && common.seconds() > 0) {
      in.refuse("operation 'insert' takes operations, not a duration: it has only so many keys");
    }
    if (operations > 0 && operations < threads) {
      in.refuse(
          String.format(
              "RINGSIDE_OPERATIONS is %d for RINGSIDE_THREADS=%d: every thread needs one",
              operations, threads));
    }
    if (common.targetRate() > 0 && common.targetRate() < LEAST_RATE_PER_THREAD * threads) {
      in.refuse(
          String.format(
              "RINGSIDE_TARGET_RATE is %d for RINGSIDE_THREADS=%d: a thread needs %.1f operations"
                  + " per second at least, use fewer threads",
              common.targetRate(), threads, LEAST_RATE_PER_THREAD));
    }
  }

  /** Reports whether the operation runs as YCSB's load phase: each key once, in order. */
  boolean inserting() {
    return operation == Operation.INSERT || operation == Operation.WRITE && common.operations() > 0;
  }

  Operation operation() {
    return operation;
  }

  /** Returns the orders that all loads share. */
  CommonOrders common() {
    return common;
  }

  /**
   * Returns the operations that are due during a phase at a constant rate, at least one per thread;
   * 0 for other phases.
   */
  long dueInTime() {
    long due = (long) common.targetRate() * common.seconds();
    return due == 0 ? 0 : Math.max(due, common.threads());
  }

  /** Returns the number of operations of a thread; 0 for a closed loop with a duration. */
  int operationsOf(int thread) {
    long operations = common.operations() > 0 ? common.operations() : dueInTime();
    int threads = common.threads();
    return Math.toIntExact(operations / threads + (thread < operations % threads ? 1 : 0));
  }

  /** Returns the orders as properties of YCSB. */
  Properties properties() {
    Properties properties = new Properties();
    properties.setProperty(Client.RECORD_COUNT_PROPERTY, Integer.toString(common.keys()));
    properties.setProperty(Client.OPERATION_COUNT_PROPERTY, Integer.toString(common.operations()));
    properties.setProperty("insertstart", Integer.toString(common.keyOffset()));
    properties.setProperty("insertcount", Integer.toString(common.keyCount()));
    if (!inserting()) {
      // Reads and updates choose from all keys; YCSB uses insertstart and insertcount for them,
      // too.
      properties.setProperty("insertstart", "0");
      properties.setProperty("insertcount", Integer.toString(common.keys()));
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
    properties.setProperty(Client.THREAD_COUNT_PROPERTY, Integer.toString(common.threads()));
    // Makes YCSB pass the scheduled start of each operation to the binding.
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
        // With a duration: the binding puts a record where YCSB updates it.
        return kind == Operation.UPDATE ? 1 : 0;
      default:
        return kind == operation ? 1 : 0;
    }
  }

  private static double proportion(OrderSource in) {
    String name = OrderSource.parameter("read-proportion");
    String value = in.text(name, "0.5");
    try {
      double proportion = Double.parseDouble(value);
      if (proportion >= 0 && proportion <= 1) {
        return proportion;
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    in.refuse(name + " is '" + value + "': give a number from 0 to 1");
    return 0;
  }
}
