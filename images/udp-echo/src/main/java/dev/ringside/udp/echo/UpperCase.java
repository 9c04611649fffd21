package dev.ringside.udp.echo;

import java.nio.ByteBuffer;

/** Writes the text in capitals, a byte at a time; bytes that are no ASCII letters stay. */
final class UpperCase implements Handler {
  private static final int TO_UPPER = 'a' - 'A';

  @Override
  public void handle(ByteBuffer text) {
    for (int i = text.position(); i < text.limit(); i++) {
      byte letter = text.get(i);
      if (letter >= 'a' && letter <= 'z') {
        text.put(i, (byte) (letter - TO_UPPER));
      }
    }
  }
}
