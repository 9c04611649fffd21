package dev.ringside.bench.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Encodes the benchmark's only call, {@code binary <method>(1: binary payload)}, and its reply,
 * framed and in Thrift's strict binary protocol. A reply is as long as its request. Only the
 * message's type and the field's number differ, so that a plain echo moves the same number of
 * bytes. Immutable; each frame that it returns is a copy.
 */
public final class EchoFrame {
  private static final int LENGTH_BYTES = 4;
  private static final int CALL = 0x80010001;
  private static final int REPLY = 0x80010002;
  private static final byte STRING = 11;

  private final byte[] template;
  private final int sequenceAt;
  private final int fieldAt;
  private final int delayAt;

  /** Creates the frames of calls of a handler. */
  public EchoFrame(Handler handler) {
    byte[] name = handler.method().getBytes(StandardCharsets.US_ASCII);
    int payloadBytes = handler.payloadBytes();
    sequenceAt = LENGTH_BYTES + 4 + 4 + name.length;
    fieldAt = sequenceAt + 4 + 1;
    delayAt = fieldAt + 2 + 4;
    template = new byte[delayAt + payloadBytes + 1];
    ByteBuffer.wrap(template)
        .putInt(template.length - LENGTH_BYTES)
        .putInt(CALL)
        .putInt(name.length)
        .put(name)
        .putInt(0)
        .put(STRING)
        .putShort((short) 1)
        .putInt(payloadBytes);
    // Of the payload, the first bytes are the delay and a number. The frame ends with a 0.
    int paddingAt = numberAt() + 4;
    for (int i = paddingAt; i < template.length - 1; i++) {
      template[i] = (byte) (' ' + (i - paddingAt) % 90);
    }
  }

  /** Returns the bytes of a frame, including the length prefix. */
  public int bytes() {
    return template.length;
  }

  /** Returns where the message's sequence number is, four bytes. */
  public int sequenceAt() {
    return sequenceAt;
  }

  /** Returns where the payload has the same number, four bytes. */
  public int numberAt() {
    return delayAt + 1;
  }

  /** Returns where the delay is, one byte: the first of the payload. */
  public int delayAt() {
    return delayAt;
  }

  /** Returns a request. */
  public byte[] request(int sequence, Delay delay) {
    byte[] frame = template.clone();
    ByteBuffer.wrap(frame)
        .putInt(sequenceAt, sequence)
        .put(delayAt, delay.code())
        .putInt(numberAt(), sequence);
    return frame;
  }

  /** Returns the reply of a Thrift server to a request. */
  public byte[] reply(int sequence, Delay delay) {
    byte[] frame = request(sequence, delay);
    ByteBuffer.wrap(frame).putInt(LENGTH_BYTES, REPLY).putShort(fieldAt, (short) 0);
    return frame;
  }
}
