package dev.ringside.thrift.internal.wire;

import java.nio.ByteBuffer;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TList;
import org.apache.thrift.protocol.TMap;
import org.apache.thrift.protocol.TSet;
import org.apache.thrift.transport.TTransport;

/** Implements the binary protocol with the limits of {@link FrameFields}. */
final class FrameBinaryProtocol extends TBinaryProtocol {
  private final FrameFields fields;

  FrameBinaryProtocol(TTransport transport, int maxBytes, boolean strictRead, boolean strictWrite) {
    super(transport, strictRead, strictWrite);
    this.fields = new FrameFields(transport, maxBytes);
  }

  @Override
  public String readString() throws TException {
    return fields.string(readI32());
  }

  @Override
  public String readStringBody(int size) throws TException {
    return fields.string(size);
  }

  @Override
  public ByteBuffer readBinary() throws TException {
    return fields.binary(readI32());
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
