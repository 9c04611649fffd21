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
 * Serves a client's stream. One thread reads packets. The thread that puts a packet's last point
 * into the cache, or syncs it, marks the packet; the outbox's thread sends the acknowledgement.
 *
 * <p>Packets are acknowledged in their order. If a client sends without reading its
 * acknowledgements, {@link Outbox#MAX_PENDING} packets wait and the connection is not read any
 * further. Other clients are not affected.
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

  /** Marks a packet, and acknowledges it after all earlier packets are marked. */
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

  /** Reports an error to the client and closes the connection. */
  void fail(String fault) {
    outbox.fail(fault);
  }

  /** Closes the connection. Its reader then fails. */
  void close() {
    outbox.close();
  }
}
