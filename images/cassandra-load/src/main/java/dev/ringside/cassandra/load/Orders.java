package dev.ringside.cassandra.load;

import dev.ringside.load.CommonOrders;
import dev.ringside.load.Endpoint;
import dev.ringside.load.OrderSource;
import dev.ringside.load.OrdersException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.cassandra.thrift.ConsistencyLevel;

/**
 * The settings (orders) of a pod, read from the environment and verified; see
 * docs/reference/load-contract.md.
 */
final class Orders {
  private static final String WRITE = "write";
  private static final String READ = "read";

  private final String operation;
  private final CommonOrders common;
  private final ConsistencyLevel consistency;
  private final int replicationFactor;
  private final Distribution distribution;
  private final int columns;
  private final int columnSize;

  private Orders(OrderSource in) {
    operation = in.oneOf("RINGSIDE_OPERATION", "", Arrays.asList(WRITE, READ));
    common = new CommonOrders(in);
    consistency = consistency(in);
    replicationFactor = in.number("RINGSIDE_REPLICATION_FACTOR", 1, 1);
    distribution =
        Distribution.of(
            in.oneOf(OrderSource.parameter("distribution"), "gaussian", Distribution.ids()));
    columns = in.number(OrderSource.parameter("columns"), 1, 5);
    columnSize = in.number(OrderSource.parameter("column-size"), 1, 34);
    in.check();
  }

  /**
   * Reads the environment.
   *
   * @throws OrdersException with one line that has all errors
   */
  static Orders of(UnaryOperator<String> environment) {
    return new Orders(new OrderSource(environment));
  }

  private static ConsistencyLevel consistency(OrderSource in) {
    List<String> levels =
        Arrays.stream(ConsistencyLevel.values()).map(Enum::name).collect(Collectors.toList());
    String level = in.oneOf("RINGSIDE_CONSISTENCY", ConsistencyLevel.LOCAL_ONE.name(), levels);
    return levels.contains(level) ? ConsistencyLevel.valueOf(level) : ConsistencyLevel.LOCAL_ONE;
  }

  boolean writes() {
    return operation.equals(WRITE);
  }

  /** Returns the operation's name in the log's tags. */
  String operation() {
    return operation.toUpperCase(Locale.ROOT);
  }

  /** Returns the settings that all loads have in common. */
  CommonOrders common() {
    return common;
  }

  ConsistencyLevel consistency() {
    return consistency;
  }

  int replicationFactor() {
    return replicationFactor;
  }

  Distribution distribution() {
    return distribution;
  }

  int columns() {
    return columns;
  }

  int columnSize() {
    return columnSize;
  }

  /** Returns one server of the store on each of its nodes. */
  List<Endpoint> nodes() {
    return common.interleaving() == null
        ? common.endpoints()
        : common.interleaving().arms().get(0).endpoints();
  }
}
