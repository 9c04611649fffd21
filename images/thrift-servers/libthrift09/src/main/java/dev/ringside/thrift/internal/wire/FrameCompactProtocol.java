package dev.ringside.thrift.internal.wire;

import java.nio.ByteBuffer;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TCompactProtocol;
import org.apache.thrift.protocol.TList;
import org.apache.thrift.protocol.TMap;
import org.apache.thrift.protocol.TProtocolException;
import org.apache.thrift.protocol.TSet;
import org.apache.thrift.transport.TTransport;

/** Implements the compact protocol with the limits of {@link FrameFields}. */
final class FrameCompactProtocol extends TCompactProtocol {
  private static final int MAX_VARINT = 5;

  private final FrameFields fields;

  FrameCompactProtocol(TTransport transport, int maxBytes) {
    super(transport);
    this.fields = new FrameFields(transport, maxBytes);
  }

  private int readLength() throws TException {
    int length = 0;
    for (int i = 0; i < MAX_VARINT; i++) {
      byte next = readByte();
      length |= (next & 0x7f) << 7 * i;
      if (next >= 0) {
        return length;
      }
    }
    throw new TProtocolException(TProtocolException.INVALID_DATA, "a length without an end");
  }

  @Override
  public String readString() throws TException {
    return fields.string(readLength());
  }

  @Override
  public ByteBuffer readBinary() throws TException {
    return fields.binary(readLength());
  }

  @Override
  public TMap readMapBegin() throws TException {
    return fields.checked(super.readMapBegin());
  }

  @Override
  public TList readListBegin() throws TException {
    return fields.checked(super.readListBegin());
  }

  @Override
  public TSet readSetBegin() throws TException {
    return fields.checked(super.readSetBegin());
  }
}
