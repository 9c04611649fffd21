package dev.ringside.bench.server;

import dev.ringside.bench.handler.HandlerWork;
import dev.ringside.bench.handler.ServerOrders;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.Callable;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TField;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TProtocolUtil;
import org.apache.thrift.protocol.TStruct;
import org.apache.thrift.protocol.TType;
import org.apache.thrift.transport.TIOStreamTransport;
import org.apache.thrift.transport.TMemoryBuffer;

/**
 * Implements the benchmark's service. Every method is {@code binary method(1: binary payload)} and
 * returns the payload after the delay that its first byte requests. The code is written by hand in
 * the form of generated code, because no single version of the Thrift compiler supports both
 * versions of libthrift.
 */
public final class EchoService {
  private static final TStruct RESULT = new TStruct("result");
  private static final TField SUCCESS = new TField("success", TType.STRING, (short) 0);

  private final HandlerWork work = new HandlerWork();

  /** Returns the orders of the process that hosts this service. */
  public ServerOrders orders() {
    return new ServerOrders(work, this::inMemory);
  }

  /** Reads from a stream, because its protocol then copies the arguments. */
  private Callable<?> inMemory(byte[] call) throws TException {
    TProtocol in = new TBinaryProtocol(new TIOStreamTransport(new ByteArrayInputStream(call)));
    TProtocol out = new TBinaryProtocol(new TMemoryBuffer(2 * call.length));
    return () -> {
      serve(in, out);
      return null;
    };
  }

  /** Reads one call and writes its reply. */
  public void serve(TProtocol in, TProtocol out) throws TException {
    TMessage message = in.readMessageBegin();
    ByteBuffer payload = arguments(in);
    in.readMessageEnd();
    work.run(payload);
    out.writeMessageBegin(new TMessage(message.name, TMessageType.REPLY, message.seqid));
    out.writeStructBegin(RESULT);
    out.writeFieldBegin(SUCCESS);
    out.writeBinary(payload);
    out.writeFieldEnd();
    out.writeFieldStop();
    out.writeStructEnd();
    out.writeMessageEnd();
    out.getTransport().flush();
  }

  private static ByteBuffer arguments(TProtocol in) throws TException {
    ByteBuffer payload = null;
    in.readStructBegin();
    for (TField field = in.readFieldBegin();
        field.type != TType.STOP;
        field = in.readFieldBegin()) {
      if (field.id == 1 && field.type == TType.STRING) {
        payload = in.readBinary();
      } else {
        TProtocolUtil.skip(in, field.type);
      }
      in.readFieldEnd();
    }
    in.readStructEnd();
    if (payload == null || !payload.hasRemaining()) {
      throw new TException("a call without a payload");
    }
    return payload;
  }
}
