package dev.ringside.thrift;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TField;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TProtocolUtil;
import org.apache.thrift.protocol.TStruct;
import org.apache.thrift.protocol.TType;

/** Is a service whose methods map bytes to bytes, decoded and encoded as generated code does. */
final class TestService extends VersionedProcessor {
  /** Is the body of a method. */
  interface Method {
    byte[] call(byte[] argument) throws Exception;
  }

  private static final TStruct ARGUMENTS = new TStruct("args");
  private static final TStruct RESULT = new TStruct("result");
  private static final TField ARGUMENT = new TField("payload", TType.STRING, (short) 1);
  private static final TField SUCCESS = new TField("success", TType.STRING, (short) 0);

  private final Map<String, Method> methods = new ConcurrentHashMap<>();

  TestService() {
    on("echo", argument -> argument);
  }

  TestService on(String name, Method method) {
    methods.put(name, method);
    return this;
  }

  /** What a method does before it returns its argument. */
  interface Step {
    void run() throws Exception;
  }

  /** Adds a method that returns its argument after that step. */
  TestService after(String name, Step step) {
    return on(
        name,
        argument -> {
          step.run();
          return argument;
        });
  }

  /** Adds a method that reports that it runs, and returns its argument when it is released. */
  TestService holding(String name, CountDownLatch entered, CountDownLatch release) {
    return on(
        name,
        argument -> {
          entered.countDown();
          release.await();
          return argument;
        });
  }

  @Override
  public void handle(TProtocol in, TProtocol out) throws TException {
    TMessage request = in.readMessageBegin();
    byte[] argument = readArgument(in);
    in.readMessageEnd();
    // Removes the prefix of a multiplexed service, and a numeric suffix that creates methods
    // unknown to the server.
    String name = request.name.replaceAll("^.*:|#.*$", "");
    Method method = methods.get(name);
    if (method == null) {
      out.writeMessageBegin(new TMessage(request.name, TMessageType.EXCEPTION, request.seqid));
      new TApplicationException(TApplicationException.UNKNOWN_METHOD, name).write(out);
      out.writeMessageEnd();
      out.getTransport().flush();
      return;
    }
    byte[] result = TestService.<RuntimeException>call(method, argument);
    if (request.type == TMessageType.ONEWAY) {
      return;
    }
    out.writeMessageBegin(new TMessage(request.name, TMessageType.REPLY, request.seqid));
    out.writeStructBegin(RESULT);
    out.writeFieldBegin(SUCCESS);
    out.writeBinary(ByteBuffer.wrap(result));
    out.writeFieldEnd();
    out.writeFieldStop();
    out.writeStructEnd();
    out.writeMessageEnd();
    out.getTransport().flush();
  }

  @SuppressWarnings("unchecked")
  private static <E extends Exception> byte[] call(Method method, byte[] argument) throws E {
    try {
      return method.call(argument);
    } catch (Exception e) {
      throw (E) e;
    }
  }

  private static byte[] readArgument(TProtocol in) throws TException {
    byte[] argument = new byte[0];
    in.readStructBegin();
    while (true) {
      TField field = in.readFieldBegin();
      if (field.type == TType.STOP) {
        break;
      }
      if (field.type == TType.STRING) {
        ByteBuffer value = in.readBinary();
        argument = new byte[value.remaining()];
        value.get(argument);
      } else {
        TProtocolUtil.skip(in, field.type);
      }
      in.readFieldEnd();
    }
    in.readStructEnd();
    return argument;
  }

  /** Writes a request as a generated client does. */
  static void writeRequest(TProtocol out, String method, byte type, int seqid, byte[] argument)
      throws TException {
    out.writeMessageBegin(new TMessage(method, type, seqid));
    out.writeStructBegin(ARGUMENTS);
    out.writeFieldBegin(ARGUMENT);
    out.writeBinary(ByteBuffer.wrap(argument));
    out.writeFieldEnd();
    out.writeFieldStop();
    out.writeStructEnd();
    out.writeMessageEnd();
  }

  /** Reads a reply as a generated client does. */
  static byte[] readReply(TProtocol in, String method, int seqid) throws TException {
    TMessage reply = in.readMessageBegin();
    if (!reply.name.equals(method) || reply.seqid != seqid) {
      throw new AssertionError("asked " + method + " " + seqid + ", was answered " + reply);
    }
    if (reply.type == TMessageType.EXCEPTION) {
      throw readFailure(in);
    }
    return readArgument(in);
  }
}
