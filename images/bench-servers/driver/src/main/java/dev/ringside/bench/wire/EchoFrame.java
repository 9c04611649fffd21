package dev.ringside.bench.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Encodes the frames of the benchmark's only call, {@code binary <method>(1: binary payload)},
 * framed and in Thrift's strict binary protocol. A reply is as long as its request. Only the
 * message's type and the field's number differ, so that a plain echo moves the same number of
 * bytes.
 */
public final class EchoFrame {
  /** Bytes of a payload: the delay, a number that distinguishes requests, padding. */
  public static final int PAYLOAD_BYTES = 100;

  private static final int LENGTH_BYTES = 4;
  private static final int CALL = 0x80010001;
  private static final int REPLY = 0x80010002;
  private static final byte STRING = 11;

  private final byte[] template;
  private final int sequenceAt;
  private final int fieldAt;
  private final int payloadAt;

  /** Creates the frames of calls of a method. */
  public EchoFrame(String method) {
    byte[] name = method.getBytes(StandardCharsets.US_ASCII);
    sequenceAt = LENGTH_BYTES + 4 + 4 + name.length;
    fieldAt = sequenceAt + 4 + 1;
    payloadAt = fieldAt + 2 + 4;
    ByteBuffer frame = ByteBuffer.allocate(payloadAt + PAYLOAD_BYTES + 1);
    frame.putInt(frame.capacity() - LENGTH_BYTES).putInt(CALL).putInt(name.length).put(name);
    frame.putInt(0).put(STRING).putShort((short) 1).putInt(PAYLOAD_BYTES);
    for (int i = 0; i < PAYLOAD_BYTES; i++) {
      frame.put((byte) (' ' + i % 90));
    }
    frame.put((byte) 0);
    template = frame.array();
  }

  /** Returns the bytes of a frame, including the length prefix. */
  public int bytes() {
    return template.length;
  }

  /** Appends a request. */
  public void putRequest(ByteBuffer to, int sequence, Delay delay) {
    int at = to.position();
    to.put(template);
    to.putInt(at + sequenceAt, sequence);
    to.put(at + payloadAt, delay.code());
    to.putInt(at + payloadAt + 1, sequence);
  }

  /**
   * Verifies the reply that begins at {@code at}.
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
    int last = payloadAt + PAYLOAD_BYTES - 1;
    if (from.get(at + last) != template[last] || from.get(at + last + 1) != 0) {
      return "a payload that was changed";
    }
    return null;
  }

  /** Reports whether the length prefix of a reply is the expected one. */
  public boolean lengthFits(ByteBuffer from, int at) {
    return from.getInt(at) == template.length - LENGTH_BYTES;
  }
}
