package dev.ringside.trip.store;

import dev.ringside.trip.stream.Acknowledgement;
import dev.ringside.trip.stream.FinishedTrip;
import dev.ringside.trip.stream.StreamFaultException;
import dev.ringside.trip.stream.StreamSocket;
import java.io.IOException;
import java.util.List;

/**
 * A client that sends its points by way of a topic: it is told how many of them are in the cache,
 * and which trips they ended.
 */
final class Follower {
  private final StreamSocket socket;
  private long kept;

  Follower(StreamSocket socket) {
    this.socket = socket;
  }

  /** Waits until the client goes; it has nothing more to say here. */
  void await() throws IOException {
    while (true) {
      if (!socket.receive().points().isEmpty()) {
        throw new StreamFaultException(
            "a client that was given a topic sends its points elsewhere");
      }
      acknowledge(0, 0, List.of());
    }
  }

  /** So many more of its points are in the cache. */
  void kept(PendingPacket packet) {
    acknowledge(packet.points(), packet.gaps(), packet.finished());
  }

  private synchronized void acknowledge(int points, int gaps, List<FinishedTrip> finished) {
    kept += points;
    send(new Acknowledgement(kept, gaps, finished, ""));
  }

  /** Says why there will be no more, and ends it. */
  synchronized void fail(String fault) {
    send(new Acknowledgement(kept, 0, List.of(), fault));
    close();
  }

  private void send(Acknowledgement acknowledgement) {
    try {
      socket.acknowledge(acknowledgement);
    } catch (IOException e) {
      close(); // the client has gone
    }
  }

  /** Ends it. */
  void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // nothing was promised to anybody
    }
  }
}
