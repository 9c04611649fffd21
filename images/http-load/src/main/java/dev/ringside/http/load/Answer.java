package dev.ringside.http.load;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Parses one answer after another, each from the bytes received so far: status line, headers, and
 * the number of bytes of Content-Length. For one connection.
 */
final class Answer {
  private static final byte[] LENGTH = "content-length:".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] CONNECTION = "connection: close".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] CODING = "transfer-encoding:".getBytes(StandardCharsets.US_ASCII);
  private static final int MAX_HEAD = 1 << 10;
  private static final int LEAST_BODY = 1 << 8;
  private static final int STATUS_AT = "HTTP/1.1 ".length();
  private static final int STATUS_END = STATUS_AT + 3;

  private final ByteBuffer in;
  private final int largestBody;
  private int lineStart;
  private int scanned;
  private int bodyStart;
  private int bodyLength;
  private boolean closes;

  /**
   * Allocates room for a value of a given size, or for an error message of one line. The buffer is
   * small because there may be thousands of connections.
   */
  Answer(int valueSize) {
    largestBody = Math.max(LEAST_BODY, valueSize);
    in = ByteBuffer.allocate(MAX_HEAD + largestBody);
  }

  /** Returns the buffer for received bytes. It has room until the answer is complete. */
  ByteBuffer buffer() {
    return in;
  }

  /** Discards the answer and starts the next one. */
  void next() {
    in.clear();
    lineStart = 0;
    scanned = 0;
    bodyStart = 0;
    bodyLength = 0;
    closes = false;
  }

  /**
   * Reports whether the answer is complete.
   *
   * @throws MalformedAnswerException if it is invalid, or bytes follow it
   */
  boolean complete() throws MalformedAnswerException {
    while (bodyStart == 0 && scanned < in.position()) {
      if (in.get(scanned++) == '\n') {
        line(scanned - 1);
        lineStart = scanned;
      }
    }
    if (bodyStart == 0) {
      if (in.position() >= MAX_HEAD) {
        throw new MalformedAnswerException("the answer's head is longer than " + MAX_HEAD);
      }
      return false;
    }
    int end = bodyStart + bodyLength;
    if (bodyStart > MAX_HEAD || in.position() > end) {
      throw new MalformedAnswerException("more came than was asked for");
    }
    return in.position() == end;
  }

  /** Parses the line up to its end, without CR and LF. */
  private void line(int lineFeed) throws MalformedAnswerException {
    int end = lineFeed > lineStart && in.get(lineFeed - 1) == '\r' ? lineFeed - 1 : lineFeed;
    if (lineStart == 0) {
      if (end < STATUS_END || in.get(0) != 'H' || in.get(STATUS_AT - 1) != ' ') {
        throw new MalformedAnswerException("what came is no HTTP");
      }
    } else if (end == lineStart) {
      bodyStart = lineFeed + 1;
    } else if (is(LENGTH, end)) {
      bodyLength = number(lineStart + LENGTH.length, end);
      if (bodyLength > largestBody) {
        throw new MalformedAnswerException("the answer has " + bodyLength + " bytes");
      }
    } else if (is(CODING, end)) {
      throw new MalformedAnswerException("the answer comes in chunks, which this load cannot read");
    } else if (is(CONNECTION, end)) {
      closes = true;
    }
  }

  /** Reports whether the line begins with a text, ignoring case. */
  private boolean is(byte[] lowerCase, int end) {
    if (end - lineStart < lowerCase.length) {
      return false;
    }
    for (int i = 0; i < lowerCase.length; i++) {
      byte c = in.get(lineStart + i);
      if ((c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c) != lowerCase[i]) {
        return false;
      }
    }
    return true;
  }

  private int number(int from, int to) throws MalformedAnswerException {
    long number = -1;
    for (int i = from; i < to; i++) {
      byte c = in.get(i);
      if (c >= '0' && c <= '9' && number <= Integer.MAX_VALUE) {
        number = Math.max(0, number) * 10 + c - '0';
      } else if (c != ' ') {
        number = Long.MAX_VALUE;
      }
    }
    if (number < 0 || number > Integer.MAX_VALUE) {
      throw new MalformedAnswerException("a Content-Length that is none");
    }
    return (int) number;
  }

  /** Returns the status of a complete answer. */
  int status() {
    int status = 0;
    for (int i = STATUS_AT; i < STATUS_END; i++) {
      status = status * 10 + in.get(i) - '0';
    }
    return status;
  }

  /** Reports whether the server closes the connection after this answer. */
  boolean closes() {
    return closes;
  }

  /** Reports whether the body is the entity's value. */
  boolean holds(Population population, long number) {
    return population.isValue(number, in.array(), bodyStart, bodyStart + bodyLength);
  }

  /** Returns the start of the body, for a message. */
  String text() {
    return new String(in.array(), bodyStart, Math.min(bodyLength, 200), StandardCharsets.UTF_8)
        .trim();
  }
}
