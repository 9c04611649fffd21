package dev.ringside.cql.load;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import dev.ringside.cassandra.load.StressKeys;
import dev.ringside.load.Arm;
import dev.ringside.load.CommonOrders;
import dev.ringside.load.OrderSource;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/**
 * Holds a pod's orders as docs/reference/load-contract.md defines them.
 *
 * @param operation operation of the phase
 * @param common orders that all loads share
 * @param consistency consistency level of every operation
 * @param replicationFactor replication factor of the keyspace that a write phase creates
 * @param keys order in which keys are read
 * @param columns columns of a row
 * @param columnSize bytes of a column
 * @param ratio writes and reads of a mixed phase
 * @param keysPerOperation rows that are read at once
 * @param user profile of the operation {@code user}
 * @param table options of the table that a write phase creates
 * @param driver settings of the driver
 */
record Orders(
    Operation operation,
    CommonOrders common,
    DefaultConsistencyLevel consistency,
    int replicationFactor,
    StressKeys keys,
    int columns,
    int columnSize,
    Ratio ratio,
    int keysPerOperation,
    UserOrders user,
    TableOptions table,
    DriverOrders driver) {
  private static final String CONSISTENCY = "RINGSIDE_CONSISTENCY";
  private static final List<String> LEVELS =
      List.of(
          "ANY",
          "ONE",
          "TWO",
          "THREE",
          "LOCAL_ONE",
          "QUORUM",
          "LOCAL_QUORUM",
          "EACH_QUORUM",
          "ALL");

  /**
   * Reads the environment.
   *
   * @throws dev.ringside.load.OrdersException with one line that lists all errors
   */
  static Orders of(UnaryOperator<String> environment) {
    OrderSource in = new OrderSource(environment);
    Operation operation = Operation.of(in.oneOf("RINGSIDE_OPERATION", "", Operation.ids()));
    Orders orders =
        new Orders(
            operation,
            new CommonOrders(in),
            consistency(in, operation),
            in.number("RINGSIDE_REPLICATION_FACTOR", 1, 1),
            StressKeys.of(
                in.oneOf(OrderSource.parameter("distribution"), "gaussian", StressKeys.ids())),
            in.number(OrderSource.parameter("columns"), 1, 5),
            in.number(OrderSource.parameter("column-size"), 1, 34),
            Ratio.of(in),
            in.number(OrderSource.parameter("keys-per-operation"), 1, 10),
            UserOrders.of(in),
            TableOptions.of(in),
            DriverOrders.of(in));
    in.check();
    return orders;
  }

  /**
   * Verifies that a user operation has its profile. This is apart from reading, because the schema
   * of orders knows each parameter alone.
   *
   * @throws dev.ringside.load.OrdersException with one line that lists all errors
   */
  void checkComplete() {
    if (operation == Operation.USER) {
      OrderSource in = new OrderSource(name -> null);
      user.checkComplete(in);
      table.checkUnset(in);
      in.check();
    }
  }

  private static DefaultConsistencyLevel consistency(OrderSource in, Operation operation) {
    String level = in.oneOf(CONSISTENCY, "LOCAL_ONE", LEVELS);
    if (level.equals("ANY") && operation.reads()) {
      in.refuse(CONSISTENCY + " is 'ANY': that level is for writes only");
    }
    return LEVELS.contains(level)
        ? DefaultConsistencyLevel.valueOf(level)
        : DefaultConsistencyLevel.LOCAL_ONE;
  }

  /** Returns the operation's name in the log's tags. */
  String tag() {
    return operation.name().toUpperCase(Locale.ROOT);
  }

  /** Returns the servers; a plain phase has one without a name. */
  List<Arm> arms() {
    return common.interleaving() == null
        ? List.of(new Arm("", common.endpoints()))
        : common.interleaving().arms();
  }
}
