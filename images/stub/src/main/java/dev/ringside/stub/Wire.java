package dev.ringside.stub;

import java.nio.ByteBuffer;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TField;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TProtocolUtil;
import org.apache.thrift.protocol.TStruct;
import org.apache.thrift.protocol.TType;

/** Reads and writes the structures of keyvalue.thrift in the format of generated code. */
final class Wire {
  static final String PING = "ping";
  static final String GET = "get";
  static final String SCAN = "scan";
  static final String PUT = "put";
  static final String INSERT = "insert";
  static final String UPDATE = "update";
  static final String REMOVE = "remove";

  /** The field id of the result of a successful call. */
  static final short SUCCESS = 0;

  private static final TStruct STRUCT = new TStruct("");

  private Wire() {}

  /** Reads the value of a field and returns true, or returns false to skip the field. */
  interface FieldReader {
    boolean read(TField field) throws TException;
  }

  /** Reads a structure; fields that the reader does not read are skipped. */
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

  /** Writes the fields of a structure, without its end. */
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

  /** Returns a copy, because the server may reuse the buffer. */
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
