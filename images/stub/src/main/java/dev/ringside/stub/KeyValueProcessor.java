package dev.ringside.stub;

import java.util.List;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.TException;
import org.apache.thrift.TProcessor;
import org.apache.thrift.protocol.TList;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TProtocolUtil;
import org.apache.thrift.protocol.TType;

/** Answers the calls of keyvalue.thrift. Safe for any number of threads. */
final class KeyValueProcessor implements TProcessor {
  /** The arguments of any method: a key, and a value or a limit. */
  private static final class Arguments {
    private byte[] key;
    private byte[] value;
    private int limit;

    static Arguments read(TProtocol in) throws TException {
      Arguments arguments = new Arguments();
      Wire.readStruct(in, field -> arguments.take(in, field.id, field.type));
      return arguments;
    }

    private boolean take(TProtocol in, short id, byte type) throws TException {
      if (id == 1 && type == TType.STRING) {
        key = Wire.readBytes(in);
      } else if (id == 2 && type == TType.STRING) {
        value = Wire.readBytes(in);
      } else if (id == 2 && type == TType.I32) {
        limit = in.readI32();
      } else {
        return false;
      }
      return true;
    }
  }

  private final KeyValueStore store;
  private final HandlerMode mode;

  KeyValueProcessor(KeyValueStore store, HandlerMode mode) {
    this.store = store;
    this.mode = mode;
  }

  @Override
  public boolean process(TProtocol in, TProtocol out) throws TException {
    TMessage call = in.readMessageBegin();
    if (!knows(call.name)) {
      TProtocolUtil.skip(in, TType.STRUCT);
      in.readMessageEnd();
      refuse(out, call, TApplicationException.UNKNOWN_METHOD, "unknown method '" + call.name + "'");
      return true;
    }
    Arguments arguments = Arguments.read(in);
    in.readMessageEnd();
    String missing = missing(call.name, arguments);
    if (missing != null) {
      refuse(
          out,
          call,
          TApplicationException.PROTOCOL_ERROR,
          "'" + call.name + "' needs a " + missing);
      return true;
    }
    answer(call, arguments, out);
    return true;
  }

  private void answer(TMessage call, Arguments arguments, TProtocol out) throws TException {
    if (!call.name.equals(Wire.PING)) {
      delay();
    }
    switch (call.name) {
      case Wire.PING:
        reply(out, call, () -> {});
        break;
      case Wire.GET:
        replyValue(out, call, store.get(arguments.key));
        break;
      case Wire.SCAN:
        replyRecords(out, call, store.scan(arguments.key, arguments.limit));
        break;
      case Wire.PUT:
        replyStatus(out, call, store.put(arguments.key, arguments.value));
        break;
      case Wire.INSERT:
        replyStatus(out, call, store.insert(arguments.key, arguments.value));
        break;
      case Wire.UPDATE:
        replyStatus(out, call, store.update(arguments.key, arguments.value));
        break;
      default:
        replyStatus(out, call, store.remove(arguments.key));
        break;
    }
  }

  private static boolean knows(String method) {
    switch (method) {
      case Wire.PING:
      case Wire.GET:
      case Wire.SCAN:
      case Wire.PUT:
      case Wire.INSERT:
      case Wire.UPDATE:
      case Wire.REMOVE:
        return true;
      default:
        return false;
    }
  }

  /** Returns the required argument that is missing; null if there is none. */
  private static String missing(String method, Arguments arguments) {
    if (method.equals(Wire.PING)) {
      return null;
    }
    if (arguments.key == null) {
      return "key";
    }
    boolean writes =
        method.equals(Wire.PUT) || method.equals(Wire.INSERT) || method.equals(Wire.UPDATE);
    return writes && arguments.value == null ? "value" : null;
  }

  private void delay() throws TException {
    try {
      mode.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TException("interrupted", e);
    }
  }

  private static void replyValue(TProtocol out, TMessage call, byte[] value) throws TException {
    Status status = value == null ? Status.NOT_FOUND : Status.OK;
    reply(
        out,
        call,
        () ->
            Wire.field(
                out,
                TType.STRUCT,
                Wire.SUCCESS,
                () ->
                    Wire.writeStruct(
                        out,
                        () -> {
                          Wire.number(out, (short) 1, status.ordinal());
                          if (value != null) {
                            Wire.binary(out, (short) 2, value);
                          }
                        })));
  }

  private static void replyRecords(TProtocol out, TMessage call, List<Record> records)
      throws TException {
    reply(
        out,
        call,
        () ->
            Wire.field(
                out,
                TType.LIST,
                Wire.SUCCESS,
                () -> {
                  out.writeListBegin(new TList(TType.STRUCT, records.size()));
                  for (Record record : records) {
                    Wire.writeStruct(
                        out,
                        () -> {
                          Wire.binary(out, (short) 1, record.key());
                          Wire.binary(out, (short) 2, record.value());
                        });
                  }
                  out.writeListEnd();
                }));
  }

  private static void replyStatus(TProtocol out, TMessage call, Status status) throws TException {
    reply(out, call, () -> Wire.number(out, Wire.SUCCESS, status.ordinal()));
  }

  private static void reply(TProtocol out, TMessage call, Wire.FieldWriter result)
      throws TException {
    out.writeMessageBegin(new TMessage(call.name, TMessageType.REPLY, call.seqid));
    Wire.writeStruct(out, result);
    out.writeMessageEnd();
    out.getTransport().flush();
  }

  private static void refuse(TProtocol out, TMessage call, int type, String why) throws TException {
    out.writeMessageBegin(new TMessage(call.name, TMessageType.EXCEPTION, call.seqid));
    new TApplicationException(type, why).write(out);
    out.writeMessageEnd();
    out.getTransport().flush();
  }
}
