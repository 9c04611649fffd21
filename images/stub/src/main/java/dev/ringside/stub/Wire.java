package dev.ringside.stub;

import java.nio.ByteBuffer;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TField;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TProtocolUtil;
import org.apache.thrift.protocol.TStruct;
import org.apache.thrift.protocol.TType;

/** The structures of keyvalue.thrift, read and written as generated code does. */
final class Wire {
  static final String PING = "ping";
  static final String GET = "get";
  static final String SCAN = "scan";
  static final String PUT = "put";
  static final String INSERT = "insert";
  static final String UPDATE = "update";
  static final String REMOVE = "remove";

  /** The result of a call that succeeded. */
  static final short SUCCESS = 0;

  private static final TStruct STRUCT = new TStruct("");

  private Wire() {}

  /** Reads one field's value, or leaves it for others by returning false. */
  interface FieldReader {
    boolean read(TField field) throws TException;
  }

  /** Reads a structure; fields that nobody takes are skipped. */
  static void readStruct(TProtocol in, FieldReader reader) throws TException {
    in.readStructBegin();
    for (TField field = in.readFieldBegin();
        field.type != TType.STOP;
        field = in.readFieldBegin()) {
      if (!reader.read(field)) {
        TProtocolUtil.skip(in, field.type);
      }
      in.readFieldEnd();
    }
    in.readStructEnd();
  }

  /** Writes fields, and only those. */
  interface FieldWriter {
    void write() throws TException;
  }

  static void writeStruct(TProtocol out, FieldWriter fields) throws TException {
    out.writeStructBegin(STRUCT);
    fields.write();
    out.writeFieldStop();
    out.writeStructEnd();
  }

  static void field(TProtocol out, byte type, short id, FieldWriter value) throws TException {
    out.writeFieldBegin(new TField("", type, id));
    value.write();
    out.writeFieldEnd();
  }

  static void binary(TProtocol out, short id, byte[] value) throws TException {
    field(out, TType.STRING, id, () -> out.writeBinary(ByteBuffer.wrap(value)));
  }

  static void number(TProtocol out, short id, int value) throws TException {
    field(out, TType.I32, id, () -> out.writeI32(value));
  }

  /** A copy: what a server hands over may be part of a buffer that it uses again. */
  static byte[] readBytes(TProtocol in) throws TException {
    ByteBuffer buffer = in.readBinary();
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }

  static boolean is(TField field, int id, byte type) {
    return field.id == id && field.type == type;
  }
}
