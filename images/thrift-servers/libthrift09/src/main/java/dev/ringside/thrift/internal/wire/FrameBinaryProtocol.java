package dev.ringside.thrift.internal.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TList;
import org.apache.thrift.protocol.TMap;
import org.apache.thrift.protocol.TProtocolException;
import org.apache.thrift.protocol.TSet;

/**
 * Implements the binary protocol and rejects lengths larger than the rest of the frame. libthrift
 * 0.9.2 allocates whatever a length field announces, up to two gigabytes for a frame of four bytes.
 * Later versions ask the transport first, as this does.
 */
public final class FrameBinaryProtocol extends TBinaryProtocol {
  private final FrameInput frame;

  public FrameBinaryProtocol(FrameInput frame, boolean strictRead, boolean strictWrite) {
    super(frame, strictRead, strictWrite);
    this.frame = frame;
  }

  @Override
  public String readString() throws TException {
    return readStringBody(readI32());
  }

  @Override
  public String readStringBody(int size) throws TException {
    check(size);
    if (frame.getBytesRemainingInBuffer() >= size) {
      String text =
          new String(frame.getBuffer(), frame.getBufferPosition(), size, StandardCharsets.UTF_8);
      frame.consumeBuffer(size);
      return text;
    }
    byte[] bytes = new byte[size];
    frame.readAll(bytes, 0, size);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Override
  public ByteBuffer readBinary() throws TException {
    int size = readI32();
    check(size);
    if (frame.getBytesRemainingInBuffer() >= size) {
      ByteBuffer slice = ByteBuffer.wrap(frame.getBuffer(), frame.getBufferPosition(), size);
      frame.consumeBuffer(size);
      return slice;
    }
    byte[] bytes = new byte[size];
    frame.readAll(bytes, 0, size);
    return ByteBuffer.wrap(bytes);
  }

  @Override
  public TMap readMapBegin() throws TException {
    TMap map = super.readMapBegin();
    check(map.size);
    return map;
  }

  @Override
  public TList readListBegin() throws TException {
    TList list = super.readListBegin();
    check(list.size);
    return list;
  }

  @Override
  public TSet readSetBegin() throws TException {
    TSet set = super.readSetBegin();
    check(set.size);
    return set;
  }

  /**
   * Checks that a string's bytes, or a container's elements of at least one byte each, fit in the
   * frame.
   */
  private void check(int size) throws TProtocolException {
    if (size < 0) {
      throw new TProtocolException(TProtocolException.NEGATIVE_SIZE, "negative length " + size);
    }
    if (size > frame.longestField()) {
      throw new TProtocolException(
          TProtocolException.SIZE_LIMIT,
          "a length of "
              + size
              + " is announced where the message can have "
              + frame.longestField()
              + " more bytes at most");
    }
  }
}
