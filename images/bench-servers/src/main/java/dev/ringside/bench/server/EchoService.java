package dev.ringside.bench.server;

import dev.ringside.bench.wire.Delay;
import dev.ringside.cpu.CpuWork;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TField;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TProtocolUtil;
import org.apache.thrift.protocol.TStruct;
import org.apache.thrift.protocol.TType;

/**
 * The benchmark's service: every method is {@code binary method(1: binary payload)} and gives the
 * payload back after the delay that its first byte asks for. Written by hand in the manner of
 * generated code, because no one version of the Thrift compiler generates code for both versions of
 * libthrift.
 */
public final class EchoService {
  private static final TStruct RESULT = new TStruct("result");
  private static final TField SUCCESS = new TField("success", TType.STRING, (short) 0);

  private volatile CpuWork work = CpuWork.ofSteps(0);

  /** How much work 100 µs are. */
  public void work(CpuWork value) {
    work = value;
  }

  /** Reads one call and writes its reply. */
  public void serve(TProtocol in, TProtocol out) throws TException {
    TMessage message = in.readMessageBegin();
    ByteBuffer payload = arguments(in);
    in.readMessageEnd();
    delay(payload);
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

  private void delay(ByteBuffer payload) throws TException {
    switch (Delay.of(payload.get(payload.position()))) {
      case CPU_100_US:
        if (work.run(payload.getLong(payload.position())) == 0) {
          throw new TException("xorshift never gives 0");
        }
        break;
      case SLEEP_1_MS:
        sleep(1);
        break;
      case SLEEP_20_MS:
        sleep(20);
        break;
      default:
        break;
    }
  }

  private static void sleep(long millis) throws TException {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TException(e);
    }
  }
}
