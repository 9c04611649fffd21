package dev.ringside.trip.store;

import dev.ringside.trip.stream.Acknowledgement;
import dev.ringside.trip.stream.Packet;
import dev.ringside.trip.stream.Point;
import dev.ringside.trip.stream.PointKind;
import dev.ringside.trip.stream.StreamSocket;
import dev.ringside.trip.stream.TripSum;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;

/** Sends requests to a server as a client does, for the probes and for {@code helm test}. */
final class StreamCheck {
  private static final int TIMEOUT_MILLIS = 4000;

  private StreamCheck() {}

  /** Reports whether the server greets and acknowledges an empty packet. Writes nothing. */
  static boolean answers(String host, int port) {
    try (StreamSocket stream = StreamSocket.connect(host, port, TIMEOUT_MILLIS)) {
      stream.send(new Packet(List.of()));
      stream.acknowledgement();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Sends a trip of three points and verifies the server's answer.
   *
   * @param server {@code host:port}
   * @throws IOException if the answer differs or does not arrive
   */
  static void writeAndRead(String server) throws IOException {
    int colon = server.lastIndexOf(':');
    if (colon < 1) {
      throw new IOException("no port in '" + server + "': write host:port");
    }
    long trip = new SplittableRandom().nextLong();
    List<Point> points =
        List.of(
            new Point(trip, 0, PointKind.BEGIN, 525_163_000, 133_777_000, 1),
            new Point(trip, 1, PointKind.GO_ON, 525_163_900, 133_777_000, 2),
            new Point(trip, 2, PointKind.END, 525_163_900, 133_778_500, 3));
    TripSum expected = new TripSum(trip);
    points.forEach(point -> expected.add(point.latitude(), point.longitude(), point.millis()));
    String host = server.substring(0, colon);
    int port = Integer.parseInt(server.substring(colon + 1));
    try (StreamSocket stream = StreamSocket.connect(host, port, TIMEOUT_MILLIS)) {
      stream.send(new Packet(points));
      Acknowledgement answer = stream.acknowledgement();
      Acknowledgement right = new Acknowledgement(points.size(), 0, List.of(expected.finish()), "");
      if (!answer.equals(right)) {
        throw new IOException(server + " answers " + answer + ", not " + right);
      }
    }
  }
}
