package dev.ringside.udp.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Defines the text of a request and verifies its answer. The text is the asker's number (16
 * digits), the number of the request (16 digits), both in hexadecimal capitals, then letters that
 * differ between adjacent requests.
 *
 * <p>A server that converts text to capitals does not change the digits. {@link #check} detects
 * answers that repeat parts of an earlier text, truncate one or mix two.
 */
final class Message {
  /** Bytes before the letters. */
  static final int HEADER_BYTES = 32;

  /** Longest text that the server answers. */
  static final int MAX_BYTES = 1024;

  /** Result of {@link #numberOf} for a text that is not an answer to this asker. */
  static final long NOT_MINE = -1;

  private static final int TOKEN_DIGITS = 16;
  private static final int LETTERS = 26;

  private final byte[] token;

  /** Creates messages of an asker with a unique number. */
  Message(long asker) {
    token = String.format("%016X", asker).getBytes(StandardCharsets.US_ASCII);
  }

  /** Writes a request from the buffer's start, ready to be sent. */
  void write(ByteBuffer into, long number, int letters) {
    into.clear();
    into.put(token);
    for (int shift = Long.SIZE - 4; shift >= 0; shift -= 4) {
      into.put((byte) Character.toUpperCase(Character.forDigit((int) (number >>> shift) & 15, 16)));
    }
    for (int i = 0; i < letters; i++) {
      into.put((byte) letter('a', number, i));
    }
    into.flip();
  }

  private static int letter(char first, long number, int place) {
    return first + (int) ((number + place) % LETTERS);
  }

  /**
   * Returns the number of the request that a text answers, or {@link #NOT_MINE} if the text is no
   * answer to this asker.
   */
  long numberOf(ByteBuffer text) {
    if (text.remaining() < HEADER_BYTES) {
      return NOT_MINE;
    }
    for (int i = 0; i < TOKEN_DIGITS; i++) {
      if (text.get(text.position() + i) != token[i]) {
        return NOT_MINE;
      }
    }
    long number = 0;
    for (int i = TOKEN_DIGITS; i < HEADER_BYTES; i++) {
      int digit = value(text.get(text.position() + i));
      if (digit < 0) {
        return NOT_MINE;
      }
      number = number << 4 | digit;
    }
    return number < 0 ? NOT_MINE : number;
  }

  /** Returns the value of a digit as {@link #write} writes it, or -1. */
  private static int value(byte digit) {
    if (digit >= '0' && digit <= '9') {
      return digit - '0';
    }
    return digit >= 'A' && digit <= 'F' ? digit - 'A' + 10 : -1;
  }

  /**
   * Compares an answer's letters with those of the request.
   *
   * @throws IOException with one line if they differ
   */
  void check(ByteBuffer text, long number, int letters) throws IOException {
    if (text.remaining() != HEADER_BYTES + letters) {
      throw new IOException(
          String.format(
              "the answer has %d bytes, the request had %d",
              text.remaining(), HEADER_BYTES + letters));
    }
    for (int i = 0; i < letters; i++) {
      int is = text.get(text.position() + HEADER_BYTES + i);
      int should = letter('A', number, i);
      if (is != should) {
        throw new IOException(
            String.format(
                "letter %d of the answer is '%c', and not '%c'", i + 1, (char) is, (char) should));
      }
    }
  }
}
