package dev.ringside.udp.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * What a request says and its answer must: who asks (16 digits), the number of the request (16
 * digits), both hexadecimal in capitals, then letters that differ from those of the requests before
 * and after. A server that writes text in capitals leaves the digits as they are; one that repeats
 * a part of an earlier text, cuts one off or mixes two up does not get past {@link #check}.
 */
final class Message {
  /** What stands before the letters. */
  static final int HEADER_BYTES = 32;

  /** The longest that the server answers. */
  static final int MAX_BYTES = 1024;

  /** The number that {@link #numberOf} tells of a text that is no answer to this asker. */
  static final long NOT_MINE = -1;

  private static final int TOKEN_DIGITS = 16;
  private static final int LETTERS = 26;

  private final byte[] token;

  /** Of one asker, by a number that no other has. */
  Message(long asker) {
    token = String.format("%016X", asker).getBytes(StandardCharsets.US_ASCII);
  }

  /** Writes a request from the buffer's beginning, ready to be sent. */
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
   * The number of the request that a text answers; {@link #NOT_MINE} if it is no such answer, or
   * one of its digits is not as this asker writes them.
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

  /** Of a digit as {@link #write} writes it; -1 for anything else. */
  private static int value(byte digit) {
    if (digit >= '0' && digit <= '9') {
      return digit - '0';
    }
    return digit >= 'A' && digit <= 'F' ? digit - 'A' + 10 : -1;
  }

  /**
   * Holds an answer's letters against the request.
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
