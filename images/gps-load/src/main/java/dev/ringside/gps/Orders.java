package dev.ringside.gps;

import dev.ringside.load.CommonOrders;
import dev.ringside.load.OrderSource;
import dev.ringside.load.OrdersException;
import dev.ringside.trip.stream.Packet;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Holds a pod's orders as docs/reference/load-contract.md defines them, read from the environment
 * and checked.
 */
final class Orders {
  /** Name of the only operation, in the log's tags. */
  static final String POINT = "point";

  /** Selects how points reach the store: over the connection or through its topic. */
  private static final String TRANSPORT = OrderSource.parameter("transport");

  private static final String SOCKET = "socket";
  private static final String KAFKA = "kafka";

  private static final String PACKET_SIZE = OrderSource.parameter("packet-size");
  private static final String TRIPS = OrderSource.parameter("trips");
  private static final String MULTIPLIER = OrderSource.parameter("multiplier");
  private static final String POINTS_MIN = OrderSource.parameter("points-min");
  private static final String POINTS_MAX = OrderSource.parameter("points-max");

  private static final int MAX_POINTS = 10_000;

  /** Each trip uses about 200 bytes of this process. */
  private static final int MAX_IN_FLIGHT = 5_000_000;

  private final CommonOrders common;
  private final TripSizes sizes;
  private final int inFlight;
  private final int seed;
  private final boolean byTopic;
  private final RecoveryOrders recovery;

  private Orders(OrderSource in) {
    in.oneOf("RINGSIDE_OPERATION", "", List.of(POINT));
    int packetSize = in.number(PACKET_SIZE, 1, 100);
    if (packetSize > Packet.MAX_POINTS) {
      in.refuse(String.format("%s is %d: %d at most", PACKET_SIZE, packetSize, Packet.MAX_POINTS));
    }
    common = new CommonOrders(in, packetSize);
    int asked = in.number(POINTS_MAX, TripSizes.LEAST_POINTS, 70);
    int pointsMin = in.number(POINTS_MIN, TripSizes.LEAST_POINTS, Math.min(asked, 10));
    int pointsMax = in.has(POINTS_MAX) ? asked : Math.max(asked, pointsMin);
    if (pointsMin > pointsMax || pointsMax > MAX_POINTS) {
      in.refuse(
          String.format(
              "trips of %d to %d points (%s, %s): give the smaller first, and %d at most",
              pointsMin, pointsMax, POINTS_MIN, POINTS_MAX, MAX_POINTS));
    }
    sizes =
        new TripSizes(
            pointsMin, pointsMax, in.number(OrderSource.parameter("period-ms"), 1, 1_000));
    long trips = (long) in.number(TRIPS, 1, 100) * in.number(MULTIPLIER, 1, 300);
    inFlight = (int) Math.min(trips, MAX_IN_FLIGHT);
    if (trips > MAX_IN_FLIGHT || trips < common.connections()) {
      in.refuse(
          String.format(
              "%d trips in flight (%s times %s): give one for each of the %d connections, and %d at"
                  + " most",
              trips, TRIPS, MULTIPLIER, common.connections(), MAX_IN_FLIGHT));
    }
    byTopic = in.oneOf(TRANSPORT, SOCKET, List.of(SOCKET, KAFKA)).equals(KAFKA);
    seed = in.number(OrderSource.parameter("seed"), 0, 1);
    recovery = RecoveryOrders.of(in, common);
    if (recovery != null && byTopic) {
      in.refuse(
          String.format(
              "%s is set, and points go by way of a topic, which keeps them while the store is dead:"
                  + " send them to the store itself (%s=%s)",
              RecoveryOrders.KILL_MILLIS, TRANSPORT, SOCKET));
    }
    in.check();
  }

  /**
   * Reads the environment.
   *
   * @throws OrdersException with one line that lists all errors
   */
  static Orders of(UnaryOperator<String> environment) {
    return new Orders(new OrderSource(environment));
  }

  /** Returns the orders that all loads share. A batch is a packet. */
  CommonOrders common() {
    return common;
  }

  /** Returns the orders to kill the store during the load, or null. */
  RecoveryOrders recovery() {
    return recovery;
  }

  TripSizes sizes() {
    return sizes;
  }

  /** Returns the trips in flight at a time on a connection, which is numbered from 0. */
  int inFlight(int connection) {
    int share = inFlight / common.connections();
    return connection < inFlight % common.connections() ? share + 1 : share;
  }

  /** Reports whether points go through the store's topic instead of the connection. */
  boolean byTopic() {
    return byTopic;
  }

  /** Returns the seed of the vehicles' routes. */
  int seed() {
    return seed;
  }
}
