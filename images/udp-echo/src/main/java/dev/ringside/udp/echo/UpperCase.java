package dev.ringside.udp.echo;

import java.nio.ByteBuffer;

/** Converts ASCII letters to capitals. Other bytes do not change. */
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
