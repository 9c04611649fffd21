package dev.ringside.thrift.internal.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.IntSupplier;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TList;
import org.apache.thrift.protocol.TMap;
import org.apache.thrift.protocol.TProtocolException;
import org.apache.thrift.protocol.TSet;
import org.apache.thrift.protocol.TType;
import org.apache.thrift.transport.TTransport;

/**
 * Reads the fields of a message and rejects lengths larger than the rest of its frame. libthrift
 * 0.9.2 allocates whatever a length field announces, up to two gigabytes for a frame of four bytes,
 * and skips any number of elements that take no bytes. Later versions ask the transport first, as
 * this does, and reject types that they do not know.
 */
final class FrameFields {
  private final TTransport transport;
  private final IntSupplier longest;

  /**
   * Creates it for one connection.
   *
   * @param maxBytes the longest field where the rest of the frame is not known, because a user's
   *     transport unpacks it
   */
  FrameFields(TTransport transport, int maxBytes) {
    this.transport = transport;
    this.longest =
        transport instanceof FramePipe ? ((FramePipe) transport)::longestField : () -> maxBytes;
  }

  String string(int size) throws TException {
    check(size);
    if (transport.getBytesRemainingInBuffer() >= size) {
      String text =
          new String(
              transport.getBuffer(), transport.getBufferPosition(), size, StandardCharsets.UTF_8);
      transport.consumeBuffer(size);
      return text;
    }
    return new String(bytes(size), StandardCharsets.UTF_8);
  }

  ByteBuffer binary(int size) throws TException {
    check(size);
    if (transport.getBytesRemainingInBuffer() >= size) {
      ByteBuffer slice =
          ByteBuffer.wrap(transport.getBuffer(), transport.getBufferPosition(), size);
      transport.consumeBuffer(size);
      return slice;
    }
    return ByteBuffer.wrap(bytes(size));
  }

  private byte[] bytes(int size) throws TException {
    byte[] bytes = new byte[size];
    transport.readAll(bytes, 0, size);
    return bytes;
  }

  TMap checked(TMap map) throws TProtocolException {
    check(map.size, map.keyType);
    return map;
  }

  TList checked(TList list) throws TProtocolException {
    check(list.size, list.elemType);
    return list;
  }

  TSet checked(TSet set) throws TProtocolException {
    check(set.size, set.elemType);
    return set;
  }

  /** Checks that a container's elements, of at least one byte each, fit in the frame. */
  private void check(int size, byte type) throws TProtocolException {
    check(size);
    if (size > 0 && !takesBytes(type)) {
      throw new TProtocolException(
          TProtocolException.INVALID_DATA, size + " elements of the unknown type " + type);
    }
  }

  private static boolean takesBytes(byte type) {
    switch (type) {
      case TType.BOOL:
      case TType.BYTE:
      case TType.DOUBLE:
      case TType.I16:
      case TType.I32:
      case TType.I64:
      case TType.STRING:
      case TType.STRUCT:
      case TType.MAP:
      case TType.SET:
      case TType.LIST:
        return true;
      default:
        return false;
    }
  }

  private void check(int size) throws TProtocolException {
    if (size < 0) {
      throw new TProtocolException(TProtocolException.NEGATIVE_SIZE, "negative length " + size);
    }
    if (size > longest.getAsInt()) {
      throw new TProtocolException(
          TProtocolException.SIZE_LIMIT,
          "a length of "
              + size
              + " is announced where the message can have "
              + longest.getAsInt()
              + " more bytes at most");
    }
  }
}
