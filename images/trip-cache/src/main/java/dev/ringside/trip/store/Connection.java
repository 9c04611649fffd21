package dev.ringside.trip.store;

import dev.ringside.trip.stream.FinishedTrip;
import dev.ringside.trip.stream.Point;
import dev.ringside.trip.stream.StreamSocket;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/**
 * A client's stream: one thread reads packets, whoever takes the last point of one into the cache
 * (or has synced it) has it acknowledged by another, with all those before it that are complete,
 * and never before those. A client that sends without reading its acknowledgements is read no
 * further once so many packets wait, and makes nobody else wait.
 */
final class Connection implements Sender {
  private final StreamSocket socket;
  private final TripServer server;
  private final Semaphore room = new Semaphore(Outbox.MAX_PENDING);
  private final Deque<PendingPacket> pending = new ArrayDeque<>();
  private final Outbox outbox;

  Connection(StreamSocket socket, TripServer server, Consumer<String> say) {
    this.socket = socket;
    this.server = server;
    outbox = new Outbox(socket, room::release, say);
  }

  /** Reads until the stream ends. */
  void serve() throws IOException, InterruptedException {
    outbox.start(server.hosted().name());
    while (true) {
      List<Point> points = socket.receive().points();
      room.acquire();
      if (outbox.isClosed()) {
        return;
      }
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
    int packets = 0;
    int points = 0;
    int gaps = 0;
    List<FinishedTrip> finished = new ArrayList<>();
    while (!pending.isEmpty() && pending.peek().isAcknowledgeable()) {
      PendingPacket next = pending.remove();
      packets++;
      points += next.points();
      gaps += next.gaps();
      finished.addAll(next.finished());
    }
    if (packets > 0) {
      outbox.add(packets, points, gaps, finished);
    }
  }

  /** Says why there will be no more, and ends it. */
  void fail(String fault) {
    outbox.fail(fault);
  }

  /** Ends it; its reader finds out. */
  void close() {
    outbox.close();
  }
}
