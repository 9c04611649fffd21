package dev.ringside.bench.drift;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.ringside.bench.handler.HandlerWork;
import dev.ringside.bench.wire.Delay;
import dev.ringside.bench.wire.EchoFrame;
import dev.ringside.bench.wire.Handler;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class DriftMemoryProcessorTest {
  @Test
  void shouldWriteTheReplyThatTheServerSends() throws Exception {
    EchoFrame frame = new EchoFrame(Handler.AT_ONCE);
    byte[] reply = new byte[frame.bytes() - Integer.BYTES];
    new DriftMemoryProcessor(new HandlerWork())
        .prepare(body(frame.request(7, Delay.NONE)))
        .call()
        .read(reply, 0, reply.length);
    assertArrayEquals(body(frame.reply(7, Delay.NONE)), reply);
  }

  private static byte[] body(byte[] frame) {
    return Arrays.copyOfRange(frame, Integer.BYTES, frame.length);
  }
}
