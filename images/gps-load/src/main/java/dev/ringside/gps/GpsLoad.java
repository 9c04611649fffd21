package dev.ringside.gps;

import dev.ringside.load.Endpoint;
import dev.ringside.load.Load;
import dev.ringside.trip.stream.StreamSocket;
import dev.ringside.trip.stream.TripSum;
import java.io.IOException;
import java.io.PrintStream;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** A load of points of trips, in packets. */
final class GpsLoad {
  private final Orders orders;
  private final AtomicInteger connections = new AtomicInteger();
  // Of no seed: a trip's number must be nobody else's, in other pods, phases and runs too.
  private final SplittableRandom numbers = new SplittableRandom();

  private GpsLoad(Orders orders) {
    this.orders = orders;
  }

  /** Takes its orders from the environment and drives the load to its end. */
  static void run(UnaryOperator<String> environment, PrintStream out, PrintStream err)
      throws Exception {
    GpsLoad load = new GpsLoad(Orders.of(environment));
    Load.run(
        load.orders.common(), Orders.POINT, (server, thread) -> load.connect(server), out, err);
  }

  private GpsClient connect(Endpoint server) throws IOException {
    int number = connections.getAndIncrement() % orders.common().connections();
    Trips trips =
        new Trips(
            orders.sizes(),
            orders.inFlight(number),
            TripSum.mix(orders.seed()) + number,
            numbers.nextLong());
    StreamSocket socket =
        StreamSocket.connect(server.host(), server.port(), orders.common().timeoutMillis());
    return new GpsClient(socket, trips, orders.common().batch());
  }
}
