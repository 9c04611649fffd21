package dev.ringside.bench.peer;

import dev.ringside.bench.wire.ServerControl;
import java.io.IOException;

/** Runs the peer as a process, for handlers that wait for a socket. */
public final class PeerMain {
  private PeerMain() {}

  /** Answers until standard input ends. */
  public static void main(String[] args) throws IOException {
    ServerControl.run(
        AnsweringPeer.start().port(), AnsweringPeer.class.getName(), order -> "unknown " + order);
  }
}
