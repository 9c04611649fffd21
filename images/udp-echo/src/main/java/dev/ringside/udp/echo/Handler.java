package dev.ringside.udp.echo;

import java.nio.ByteBuffer;

/** What is done with a text before it is answered. For any number of threads at once. */
interface Handler {
  /** Turns the text, from position to limit, into the answer, in place. */
  void handle(ByteBuffer text);
}
