package dev.ringside.gps;

import dev.ringside.load.CommonOrders;
import dev.ringside.load.Endpoint;
import dev.ringside.load.OrderSource;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Holds when the store is killed during the load, and the ports that accept the order
 * (docs/reference/load-contract.md).
 *
 * @param killMillis milliseconds after the first operation
 * @param killPorts of all pods of the store
 */
record RecoveryOrders(int killMillis, List<Endpoint> killPorts) {
  static final String KILL_MILLIS = "RINGSIDE_RECOVERY_KILL_MILLIS";
  static final String KILL_PORTS = "RINGSIDE_KILL";

  /** Returns the orders, or null if nothing is killed. Adds errors to the source. */
  static RecoveryOrders of(OrderSource in, CommonOrders common) {
    if (!in.has(KILL_MILLIS)) {
      return null;
    }
    RecoveryOrders orders = new RecoveryOrders(in.number(KILL_MILLIS, 1), in.endpoints(KILL_PORTS));
    if (common.interleaving() != null || common.searches()) {
      in.refuse(
          KILL_MILLIS
              + " is set beside a search or windows of several servers: a store that is killed has"
              + " a load of its own");
    } else if (TimeUnit.SECONDS.toMillis(common.seconds()) <= orders.killMillis()) {
      in.refuse(
          String.format(
              "%s is %d, and the load lasts %d s: give it RINGSIDE_DURATION_SECONDS beyond that",
              KILL_MILLIS, orders.killMillis(), common.seconds()));
    }
    return orders;
  }
}
