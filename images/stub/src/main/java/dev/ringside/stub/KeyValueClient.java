package dev.ringside.stub;

import java.util.ArrayList;
import java.util.List;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TList;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TType;
import org.apache.thrift.transport.TFramedTransport;
import org.apache.thrift.transport.TSocket;

/**
 * A client of keyvalue.thrift on one connection, with framed transport and binary protocol. For one
 * thread. After an exception the connection cannot be used any more.
 */
public final class KeyValueClient implements AutoCloseable {
  private final TSocket socket;
  private final TProtocol protocol;
  private int sequence;

  /**
   * Opens the connection.
   *
   * @param timeoutMillis timeout of the connection attempt and of each reply
   */
  public KeyValueClient(String host, int port, int timeoutMillis) throws TException {
    socket = new TSocket(host, port, timeoutMillis);
    socket.open();
    protocol = new TBinaryProtocol(new TFramedTransport(socket));
  }

  /** Returns if the server answers. */
  public void ping() throws TException {
    call(Wire.PING, () -> {});
    result(Wire.PING, false, (id, type) -> false);
  }

  /** Returns the value of a key; null if the key does not exist. */
  public byte[] get(byte[] key) throws TException {
    call(Wire.GET, () -> Wire.binary(protocol, (short) 1, key));
    byte[][] value = new byte[1][];
    result(
        Wire.GET,
        true,
        (id, type) -> {
          if (id != Wire.SUCCESS || type != TType.STRUCT) {
            return false;
          }
          Wire.readStruct(
              protocol,
              field -> {
                if (!Wire.is(field, 2, TType.STRING)) {
                  return false;
                }
                value[0] = Wire.readBytes(protocol);
                return true;
              });
          return true;
        });
    return value[0];
  }

  /** Returns at most {@code limit} records, from the first key that is not below {@code start}. */
  public List<Record> scan(byte[] start, int limit) throws TException {
    call(
        Wire.SCAN,
        () -> {
          Wire.binary(protocol, (short) 1, start);
          Wire.number(protocol, (short) 2, limit);
        });
    List<Record> records = new ArrayList<>();
    result(
        Wire.SCAN,
        true,
        (id, type) -> {
          if (id != Wire.SUCCESS || type != TType.LIST) {
            return false;
          }
          TList list = protocol.readListBegin();
          for (int i = 0; i < list.size; i++) {
            records.add(readRecord());
          }
          protocol.readListEnd();
          return true;
        });
    return records;
  }

  /** Inserts or replaces a record. */
  public Status put(byte[] key, byte[] value) throws TException {
    return write(Wire.PUT, key, value);
  }

  /** Inserts a record; returns {@link Status#EXISTS} if the key exists. */
  public Status insert(byte[] key, byte[] value) throws TException {
    return write(Wire.INSERT, key, value);
  }

  /** Replaces a value; returns {@link Status#NOT_FOUND} if the key does not exist. */
  public Status update(byte[] key, byte[] value) throws TException {
    return write(Wire.UPDATE, key, value);
  }

  /** Removes a record; returns {@link Status#NOT_FOUND} if the key does not exist. */
  public Status remove(byte[] key) throws TException {
    return write(Wire.REMOVE, key, null);
  }

  @Override
  public void close() {
    socket.close();
  }

  private Record readRecord() throws TException {
    byte[][] of = new byte[2][];
    Wire.readStruct(
        protocol,
        field -> {
          if (field.type != TType.STRING || field.id < 1 || field.id > of.length) {
            return false;
          }
          of[field.id - 1] = Wire.readBytes(protocol);
          return true;
        });
    return new Record(of[0], of[1]);
  }

  private Status write(String method, byte[] key, byte[] value) throws TException {
    call(
        method,
        () -> {
          Wire.binary(protocol, (short) 1, key);
          if (value != null) {
            Wire.binary(protocol, (short) 2, value);
          }
        });
    Status[] status = new Status[1];
    result(
        method,
        true,
        (id, type) -> {
          if (id != Wire.SUCCESS || type != TType.I32) {
            return false;
          }
          status[0] = Status.of(protocol.readI32());
          return true;
        });
    if (status[0] == null) {
      throw missing(method);
    }
    return status[0];
  }

  private void call(String method, Wire.FieldWriter arguments) throws TException {
    protocol.writeMessageBegin(new TMessage(method, TMessageType.CALL, ++sequence));
    Wire.writeStruct(protocol, arguments);
    protocol.writeMessageEnd();
    protocol.getTransport().flush();
  }

  /**
   * Reads the value of a field of a result and returns true, or returns false to skip the field.
   */
  private interface ResultReader {
    boolean read(short id, byte type) throws TException;
  }

  private void result(String method, boolean wanted, ResultReader reader) throws TException {
    TMessage reply = protocol.readMessageBegin();
    if (reply.type == TMessageType.EXCEPTION) {
      TApplicationException refusal = TApplicationException.read(protocol);
      protocol.readMessageEnd();
      throw refusal;
    }
    if (reply.seqid != sequence || !reply.name.equals(method)) {
      throw new TApplicationException(
          TApplicationException.BAD_SEQUENCE_ID, "a reply to another call than " + method);
    }
    boolean[] taken = new boolean[1];
    Wire.readStruct(
        protocol,
        field -> {
          boolean mine = reader.read(field.id, field.type);
          taken[0] |= mine;
          return mine;
        });
    protocol.readMessageEnd();
    if (wanted && !taken[0]) {
      throw missing(method);
    }
  }

  private static TApplicationException missing(String method) {
    return new TApplicationException(
        TApplicationException.MISSING_RESULT, method + " failed: no result");
  }
}
