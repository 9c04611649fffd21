package dev.ringside.udp.echo;

import java.nio.ByteBuffer;

/** Processes a text before it is answered. Safe for any number of threads. */
interface Handler {
  /** Converts the text, from position to limit, to the answer in place. */
  void handle(ByteBuffer text);
}
