package dev.ringside.trip.store;

import dev.ringside.trip.stream.StreamFaultException;
import dev.ringside.trip.stream.StreamSocket;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/**
 * Serves a client that sends its points through a topic. Reports to it how many of them are in the
 * cache, and which trips they ended.
 */
final class Follower {
  private final StreamSocket socket;
  private final Outbox outbox;

  Follower(StreamSocket socket, Consumer<String> say) {
    this.socket = socket;
    outbox = new Outbox(socket, packets -> {}, say);
  }

  /** Waits until the client disconnects. The client may only send empty packets. */
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

  /** Reports more of the client's points as stored. */
  void kept(PendingPacket packet) {
    outbox.add(1, packet.points(), packet.gaps(), packet.finished());
  }

  /** Reports an error to the client and closes the connection. */
  void fail(String fault) {
    outbox.fail(fault);
  }

  /** Closes the connection. */
  void close() {
    outbox.close();
  }
}
