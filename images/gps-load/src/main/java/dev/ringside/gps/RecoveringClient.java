package dev.ringside.gps;

import dev.ringside.load.Client;
import dev.ringside.load.ConnectionLostException;
import dev.ringside.load.Endpoint;
import dev.ringside.load.Outcome;
import dev.ringside.trip.stream.Acknowledgement;
import dev.ringside.trip.stream.FinishedTrip;
import dev.ringside.trip.stream.Packet;
import dev.ringside.trip.stream.Point;
import dev.ringside.trip.stream.PointKind;
import dev.ringside.trip.stream.StreamSocket;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Is a connection to a store that is killed during the load. Sends one packet at a time. If the
 * connection ends after the kill, it sends the same packet again to the restarted store. The
 * packet's time includes all of this. Records every point in a book. For one thread.
 */
final class RecoveringClient implements Client {
  /** Some points of the packet were acknowledged as gaps: their trips lack earlier points. */
  static final Outcome INCOMPLETE = Outcome.answered("incomplete");

  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(5);

  /** Pause between two attempts to connect, which limits the precision of the recovery time. */
  private static final long PAUSE_MILLIS = 5;

  private final Endpoint endpoint;
  private final int timeoutMillis;
  private final int packetSize;
  private final Trips trips;
  private final Kill kill;
  private final Book book = new Book();
  private StreamSocket socket;
  private long sentHere;
  private boolean cameBack;
  private long backNanos;

  /** Connects to the store. */
  RecoveringClient(Endpoint endpoint, int timeoutMillis, int packetSize, Trips trips, Kill kill)
      throws IOException {
    this.endpoint = endpoint;
    this.timeoutMillis = timeoutMillis;
    this.packetSize = packetSize;
    this.trips = trips;
    this.kill = kill;
    connect();
  }

  private void connect() throws IOException {
    socket = StreamSocket.connect(endpoint.host(), endpoint.port(), timeoutMillis);
    sentHere = 0;
  }

  @Override
  public Outcome operate(long number) throws ConnectionLostException, InterruptedException {
    kill.begin();
    List<Point> points = new ArrayList<>(packetSize);
    for (int i = 0; i < packetSize; i++) {
      Point point = trips.next().point();
      book.sent(point);
      points.add(point);
    }
    int gaps = sendUntilAcknowledged(points);
    book.acknowledged(points, gaps);
    return gaps == 0 ? GpsClient.KEPT : INCOMPLETE;
  }

  private int sendUntilAcknowledged(List<Point> points)
      throws ConnectionLostException, InterruptedException {
    boolean again = false;
    while (true) {
      try {
        if (socket == null) {
          connect();
        }
        int gaps = exchange(points, new ArrayList<>());
        if (again && !cameBack) {
          cameBack = true;
          backNanos = System.nanoTime();
        }
        return gaps;
      } catch (IOException e) {
        close();
        if (!kill.ordered() || System.nanoTime() - kill.orderedNanos() > PATIENCE_NANOS) {
          throw new ConnectionLostException(e.toString(), e);
        }
        if (!again) {
          book.killed();
        }
        again = true;
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      }
    }
  }

  /** Sends a packet and waits until all of it is acknowledged. Returns its number of gaps. */
  private int exchange(List<Point> points, List<FinishedTrip> finished) throws IOException {
    socket.send(new Packet(points));
    sentHere += points.size();
    int gaps = 0;
    for (long acknowledged = 0; acknowledged < sentHere; ) {
      Acknowledgement next = socket.acknowledgement();
      acknowledged = next.points();
      gaps += next.gaps();
      finished.addAll(next.finished());
    }
    return gaps;
  }

  /**
   * Requests all trips that were sent from the store, and returns the balance. The load must have
   * ended.
   */
  Balance verify() throws IOException {
    connect();
    try {
      Map<Long, FinishedTrip> held = new HashMap<>();
      List<Long> all = book.trips();
      for (int from = 0; from < all.size(); from += packetSize) {
        List<Point> asked = new ArrayList<>(packetSize);
        for (long trip : all.subList(from, Math.min(all.size(), from + packetSize))) {
          asked.add(new Point(trip, 0, PointKind.ASK, 0, 0, 0));
        }
        List<FinishedTrip> answers = new ArrayList<>(packetSize);
        exchange(asked, answers);
        answers.forEach(trip -> held.put(trip.trip(), trip));
      }
      return book.balance(held);
    } finally {
      close();
    }
  }

  /** Reports whether the restarted store acknowledged a packet that the kill had interrupted. */
  boolean cameBack() {
    return cameBack;
  }

  /** Returns when it did, as System.nanoTime(). */
  long backNanos() {
    return backNanos;
  }

  @Override
  public void close() {
    if (socket == null) {
      return;
    }
    try {
      socket.close();
    } catch (IOException e) {
      // nothing depends on the result
    }
    socket = null;
  }
}
