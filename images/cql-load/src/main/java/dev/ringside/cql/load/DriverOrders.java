package dev.ringside.cql.load;

import dev.ringside.load.OrderSource;
import java.util.List;

/**
 * Holds the settings of the driver that an experiment can choose.
 *
 * @param tokenAware whether the driver sends an operation to a replica of its key
 * @param compressed whether frames of the protocol are compressed with LZ4
 * @param pageSize rows that the store returns at once
 * @param connectionsPerNode connections of a session to each node; operations share them
 */
record DriverOrders(boolean tokenAware, boolean compressed, int pageSize, int connectionsPerNode) {
  private static final String LZ4 = "lz4";

  /** Reads the settings. Errors are added to the source. */
  static DriverOrders of(OrderSource in) {
    String aware = in.oneOf(OrderSource.parameter("token-aware"), "true", List.of("true", "false"));
    String compression =
        in.oneOf(OrderSource.parameter("protocol-compression"), "none", List.of("none", LZ4));
    return new DriverOrders(
        aware.equals("true"),
        compression.equals(LZ4),
        in.number(OrderSource.parameter("page-size"), 1, 5000),
        in.number(OrderSource.parameter("connections-per-node"), 1, 1));
  }
}
