package dev.ringside.bench.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Encodes and checks the frames of the benchmark's only call, {@code binary <method>(1: binary
 * payload)}, framed and in Thrift's strict binary protocol. A reply is as long as its request. Only
 * the message's type and the field's number differ, so that a plain echo moves the same number of
 * bytes.
 *
 * <p>A frame is a head, which is unlike that of every other frame, and a tail, which is the same in
 * all frames of a method. A large frame is sent and checked in pieces. Not thread-safe.
 */
public final class EchoFrame {
  private static final int LENGTH_BYTES = 4;
  private static final int CALL = 0x80010001;
  private static final int REPLY = 0x80010002;
  private static final byte STRING = 11;

  private final byte[] head;
  private final ByteBuffer tail;
  private final int sequenceAt;
  private final int fieldAt;
  private final int payloadAt;

  /** Creates the frames of calls of a handler. */
  public EchoFrame(Handler handler) {
    byte[] name = handler.method().getBytes(StandardCharsets.US_ASCII);
    int payloadBytes = handler.payloadBytes();
    sequenceAt = LENGTH_BYTES + 4 + 4 + name.length;
    fieldAt = sequenceAt + 4 + 1;
    payloadAt = fieldAt + 2 + 4;
    // Of the payload, the head has the delay and a number that distinguishes requests.
    head = new byte[payloadAt + 1 + 4];
    int padding = payloadBytes - 1 - 4;
    tail = ByteBuffer.allocateDirect(padding + 1);
    ByteBuffer.wrap(head)
        .putInt(head.length + tail.capacity() - LENGTH_BYTES)
        .putInt(CALL)
        .putInt(name.length)
        .put(name)
        .putInt(0)
        .put(STRING)
        .putShort((short) 1)
        .putInt(payloadBytes);
    for (int i = 0; i < padding; i++) {
      tail.put((byte) (' ' + i % 90));
    }
    tail.put((byte) 0).flip();
  }

  /** Returns the bytes of a frame, including the length prefix. */
  public int bytes() {
    return head.length + tail.capacity();
  }

  /** Returns the bytes of a head. */
  public int headBytes() {
    return head.length;
  }

  /** Returns a view of the tail, with a position of its own. */
  public ByteBuffer tail() {
    return tail.asReadOnlyBuffer();
  }

  /** Appends a request. */
  public void putRequest(ByteBuffer to, int sequence, Delay delay) {
    putHead(to, sequence, delay);
    to.put(tail);
    tail.rewind();
  }

  /** Appends the head of a request. */
  public void putHead(ByteBuffer to, int sequence, Delay delay) {
    int at = to.position();
    to.put(head);
    to.putInt(at + sequenceAt, sequence);
    to.put(at + payloadAt, delay.code());
    to.putInt(at + payloadAt + 1, sequence);
  }

  /**
   * Verifies the head of the reply that begins at {@code at}.
   *
   * @param plainEcho whether the correct reply is the unchanged request
   * @return null if it answers that request, otherwise the error
   */
  public String fault(ByteBuffer from, int at, int sequence, Delay delay, boolean plainEcho) {
    int type = from.getInt(at + LENGTH_BYTES);
    if (type != (plainEcho ? CALL : REPLY)) {
      return String.format("message type %08x", type);
    }
    if (from.getShort(at + fieldAt) != (plainEcho ? 1 : 0)) {
      return "field " + from.getShort(at + fieldAt);
    }
    if (from.getInt(at + sequenceAt) != sequence
        || from.getInt(at + payloadAt + 1) != sequence
        || from.get(at + payloadAt) != delay.code()) {
      return "a reply to another request";
    }
    return null;
  }

  /**
   * Verifies {@code count} bytes of a tail, which begin at {@code at}.
   *
   * @param offset how many bytes of the tail came before them
   * @return null if they are correct, otherwise the error
   */
  public String tailFault(ByteBuffer from, int at, int count, int offset) {
    int position = from.position();
    int limit = from.limit();
    from.limit(at + count).position(at);
    tail.limit(offset + count).position(offset);
    int wrongAt = tail.mismatch(from);
    tail.clear();
    from.limit(limit).position(position);
    return wrongAt < 0 ? null : "a payload that was changed";
  }

  /** Reports whether the length prefix of a reply is the expected one. */
  public boolean lengthFits(ByteBuffer from, int at) {
    return from.getInt(at) == bytes() - LENGTH_BYTES;
  }
}
