package dev.ringside.trip.store;

import dev.ringside.trip.stream.StreamFaultException;
import dev.ringside.trip.stream.StreamSocket;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/**
 * A client that sends its points by way of a topic: it is told how many of them are in the cache,
 * and which trips they ended.
 */
final class Follower {
  private final StreamSocket socket;
  private final Outbox outbox;

  Follower(StreamSocket socket, Consumer<String> say) {
    this.socket = socket;
    outbox = new Outbox(socket, packets -> {}, say);
  }

  /** Waits until the client goes; it has nothing more to say here. */
  void await(String name) throws IOException {
    outbox.start(name);
    while (true) {
      if (!socket.receive().points().isEmpty()) {
        throw new StreamFaultException(
            "a client that was given a topic sends its points elsewhere");
      }
      outbox.add(1, 0, 0, List.of());
    }
  }

  /** So many more of its points are in the cache. */
  void kept(PendingPacket packet) {
    outbox.add(1, packet.points(), packet.gaps(), packet.finished());
  }

  /** Says why there will be no more, and ends it. */
  void fail(String fault) {
    outbox.fail(fault);
  }

  /** Ends it. */
  void close() {
    outbox.close();
  }
}
