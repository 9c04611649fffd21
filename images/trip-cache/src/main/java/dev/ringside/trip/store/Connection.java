package dev.ringside.trip.store;

import dev.ringside.trip.stream.Acknowledgement;
import dev.ringside.trip.stream.FinishedTrip;
import dev.ringside.trip.stream.Point;
import dev.ringside.trip.stream.StreamSocket;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * A client's stream: one thread reads packets, whoever takes the last point of one into the cache
 * (or has synced it) acknowledges it, with all those before it that are complete, and never before
 * those. A client that sends without reading its acknowledgements is read no further once so many
 * packets wait, and makes the thread that acknowledges wait, too.
 */
final class Connection implements Sender {
  private static final int MAX_PENDING = 64;

  private final StreamSocket socket;
  private final TripServer server;
  private final Semaphore room = new Semaphore(MAX_PENDING);
  private final Deque<PendingPacket> pending = new ArrayDeque<>();
  private long acknowledged;

  Connection(StreamSocket socket, TripServer server) {
    this.socket = socket;
    this.server = server;
  }

  /** Reads until the stream ends. */
  void serve() throws IOException, InterruptedException {
    while (true) {
      List<Point> points = socket.receive().points();
      room.acquire();
      PendingPacket packet = new PendingPacket(this, points.size());
      synchronized (this) {
        pending.add(packet);
      }
      if (points.isEmpty()) {
        server.complete(packet);
      }
      for (Point point : points) {
        server.received(packet, point);
      }
    }
  }

  /** A packet may be acknowledged, as soon as those before it may be. */
  @Override
  public synchronized void acknowledge(PendingPacket packet) {
    packet.mayBeAcknowledged();
    int gaps = 0;
    int packets = 0;
    List<FinishedTrip> finished = new ArrayList<>();
    while (!pending.isEmpty() && pending.peek().isAcknowledgeable()) {
      PendingPacket next = pending.remove();
      acknowledged += next.points();
      gaps += next.gaps();
      finished.addAll(next.finished());
      packets++;
    }
    if (packets > 0) {
      send(new Acknowledgement(acknowledged, gaps, finished, ""));
      room.release(packets);
    }
  }

  /** Says why there will be no more, and ends it. */
  synchronized void fail(String fault) {
    send(new Acknowledgement(acknowledged, 0, List.of(), fault));
    close();
  }

  private void send(Acknowledgement acknowledgement) {
    try {
      socket.acknowledge(acknowledgement);
    } catch (IOException e) {
      close(); // the client has gone; it will ask again for what it does not know of
    }
  }

  /** Ends it; its reader finds out. */
  void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // nothing was promised to anybody
    }
  }
}
