package dev.ringside.bench.drift;

import com.facebook.drift.codec.ThriftCodec;
import com.facebook.drift.codec.ThriftCodecManager;
import com.facebook.drift.codec.internal.ProtocolReader;
import com.facebook.drift.codec.internal.ProtocolWriter;
import com.facebook.drift.protocol.TBinaryProtocol;
import com.facebook.drift.protocol.TMemoryBuffer;
import com.facebook.drift.protocol.TMessage;
import com.facebook.drift.protocol.TMessageType;
import dev.ringside.bench.handler.HandlerWork;
import dev.ringside.bench.handler.MemoryProcessor;
import java.nio.ByteBuffer;
import java.util.concurrent.Callable;

/**
 * Processes a call without a server: Drift's protocol and codecs from memory to memory. Drift's
 * processor cannot be separated from its server, so this does the same work as libthrift's.
 */
final class DriftMemoryProcessor implements MemoryProcessor {
  private static final short SUCCESS = 0;

  private final HandlerWork work;
  private final ThriftCodec<ByteBuffer> codec = new ThriftCodecManager().getCodec(ByteBuffer.class);

  DriftMemoryProcessor(HandlerWork work) {
    this.work = work;
  }

  @Override
  public Callable<TMemoryBuffer> prepare(byte[] call) {
    TMemoryBuffer request = new TMemoryBuffer(call.length);
    request.write(call, 0, call.length);
    TMemoryBuffer reply = new TMemoryBuffer(2 * call.length);
    TBinaryProtocol in = new TBinaryProtocol(request);
    TBinaryProtocol out = new TBinaryProtocol(reply);
    return () -> {
      TMessage message = in.readMessageBegin();
      ProtocolReader arguments = new ProtocolReader(in);
      arguments.readStructBegin();
      ByteBuffer payload = null;
      while (arguments.nextField()) {
        payload = (ByteBuffer) arguments.readField(codec);
      }
      arguments.readStructEnd();
      in.readMessageEnd();
      work.run(payload);
      out.writeMessageBegin(
          new TMessage(message.getName(), TMessageType.REPLY, message.getSequenceId()));
      ProtocolWriter result = new ProtocolWriter(out);
      result.writeStructBegin("result");
      result.writeField("success", SUCCESS, codec, payload);
      result.writeStructEnd();
      out.writeMessageEnd();
      return reply;
    };
  }
}
