package dev.ringside.gps;

import dev.ringside.load.Endpoint;
import dev.ringside.load.Load;
import dev.ringside.trip.stream.TripSum;
import java.io.IOException;
import java.io.PrintStream;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** Runs a load of points of trips, in packets. */
final class GpsLoad {
  private final Orders orders;
  private final AtomicInteger connections = new AtomicInteger();
  // No fixed seed: a trip's number must be unique across pods, phases and runs.
  private final SplittableRandom numbers = new SplittableRandom();

  private GpsLoad(Orders orders) {
    this.orders = orders;
  }

  /** Reads the orders from the environment and runs the load to its end. */
  static void run(UnaryOperator<String> environment, PrintStream out, PrintStream err)
      throws Exception {
    GpsLoad load = new GpsLoad(Orders.of(environment));
    if (load.orders.recovery() != null) {
      new RecoveryLoad(load.orders).run(load::trips, out, err);
      return;
    }
    try (Producers producers = new Producers(load.orders.common().timeoutMillis())) {
      Load.run(
          load.orders.common(),
          Orders.POINT,
          (server, thread) -> load.connect(server, producers),
          out,
          err);
    }
  }

  /** Returns the trips of the next connection. */
  private Trips trips() {
    int number = connections.getAndIncrement() % orders.common().connections();
    return new Trips(
        orders.sizes(),
        orders.inFlight(number),
        TripSum.mix(orders.seed()) + number,
        numbers.nextLong());
  }

  private GpsClient connect(Endpoint server, Producers producers) throws IOException {
    Trips trips = trips();
    int timeoutMillis = orders.common().timeoutMillis();
    Route route =
        orders.byTopic()
            ? TopicRoute.open(server, timeoutMillis, producers)
            : SocketRoute.open(server, timeoutMillis);
    return new GpsClient(route, trips, orders.common().batch());
  }
}
