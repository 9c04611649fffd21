package dev.ringside.bench.drift;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.bench.handler.HandlerWork;
import dev.ringside.bench.wire.Delay;
import dev.ringside.bench.wire.EchoFrame;
import dev.ringside.bench.wire.Handler;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class DriftMemoryProcessorTest {
  @Test
  void shouldWriteTheReplyThatTheServerSends() throws Exception {
    EchoFrame frame = new EchoFrame(Handler.AT_ONCE);
    ByteBuffer request = ByteBuffer.allocate(frame.bytes());
    frame.putRequest(request, 7, Delay.NONE);
    byte[] call = Arrays.copyOfRange(request.array(), Integer.BYTES, frame.bytes());
    byte[] reply = new byte[frame.bytes()];
    ByteBuffer framed = ByteBuffer.wrap(reply).putInt(call.length);
    new DriftMemoryProcessor(new HandlerWork())
        .prepare(call)
        .call()
        .read(reply, framed.position(), call.length);
    assertTrue(frame.lengthFits(framed, 0));
    assertNull(frame.fault(framed, 0, 7, Delay.NONE, false));
  }
}
