package dev.ringside.gps;

import dev.ringside.trip.stream.Acknowledgement;
import dev.ringside.trip.stream.FinishedTrip;
import dev.ringside.trip.stream.Packet;
import dev.ringside.trip.stream.Point;
import dev.ringside.trip.stream.StreamSocket;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;

/**
 * Is a client that sends some packets ahead of the acknowledgements, and sends unacknowledged ones
 * again to a restarted store. Records all trips. For one thread.
 */
final class ResumingClient {
  private static final int AHEAD = 8;
  private static final int PACKET = 40;

  private final Trips trips;
  private final Deque<List<Point>> unacknowledged = new ArrayDeque<>();
  private final Map<Long, FinishedTrip> right = new HashMap<>();
  private final Map<Long, Point> lastPoints = new HashMap<>();
  private final Map<Long, FinishedTrip> cameOut = new HashMap<>();
  private long acknowledged;
  private long gaps;

  ResumingClient(Trips trips) {
    this.trips = trips;
  }

  /**
   * Sends the unacknowledged packets and then new ones, until all are acknowledged or the store has
   * ended.
   *
   * @param packets number of new packets
   * @param told receives the number of points of each acknowledgement
   * @return whether all were acknowledged
   */
  boolean stream(String host, int port, int packets, IntConsumer told) {
    try (StreamSocket socket = StreamSocket.connect(host, port, 20_000)) {
      for (List<Point> points : unacknowledged) {
        socket.send(new Packet(points));
      }
      long here = 0;
      int left = packets;
      while (left > 0 || !unacknowledged.isEmpty()) {
        if (left > 0 && unacknowledged.size() < AHEAD) {
          List<Point> points = next();
          unacknowledged.add(points);
          left--;
          socket.send(new Packet(points));
        } else {
          Acknowledgement next = socket.acknowledgement();
          int points = (int) (next.points() - here);
          here = next.points();
          note(next, points);
          told.accept(points);
        }
      }
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private List<Point> next() {
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < PACKET; i++) {
      Trips.Step step = trips.next();
      points.add(step.point());
      if (step.finished() != null) {
        right.put(step.point().trip(), step.finished());
        lastPoints.put(step.point().trip(), step.point());
      }
    }
    return points;
  }

  private void note(Acknowledgement next, int points) {
    for (int left = points; left > 0; left -= PACKET) {
      unacknowledged.remove();
    }
    acknowledged += points;
    gaps += next.gaps();
    next.finished().forEach(trip -> cameOut.put(trip.trip(), trip));
  }

  /** Sends the last points of all ended trips again, and records the results. */
  void askAgain(String host, int port) throws IOException {
    cameOut.clear();
    try (StreamSocket socket = StreamSocket.connect(host, port, 20_000)) {
      for (Point point : lastPoints.values()) {
        socket.send(new Packet(List.of(point)));
        Acknowledgement next = socket.acknowledgement();
        gaps += next.gaps();
        next.finished().forEach(trip -> cameOut.put(trip.trip(), trip));
      }
    }
  }

  /** Returns the expected results of ended trips. */
  Map<Long, FinishedTrip> right() {
    return right;
  }

  /** Returns the results from the store. */
  Map<Long, FinishedTrip> cameOut() {
    return cameOut;
  }

  /** Returns the number of acknowledged points. */
  long acknowledged() {
    return acknowledged;
  }

  /** Returns the number of points that the store acknowledged as gaps. */
  long gaps() {
    return gaps;
  }
}
