package dev.ringside.bench.peer;

import dev.ringside.bench.wire.ServerControl;
import java.io.IOException;

/** The process that handlers ask which wait in a socket. */
public final class PeerMain {
  private PeerMain() {}

  /** Answers until standard input ends. */
  public static void main(String[] args) throws IOException {
    ServerControl.run(
        AnsweringPeer.start().port(), AnsweringPeer.class.getName(), order -> "unknown " + order);
  }
}
