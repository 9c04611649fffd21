package dev.ringside.bench.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class EchoFrameTest {
  private static final int TYPE_AT = 4;
  private static final int FIELD_AT = 4 + 4 + 4 + 4 + 4 + 1;

  private final EchoFrame frame = new EchoFrame("echo");

  @Test
  void shouldTakeAReplyToTheVeryRequest() {
    ByteBuffer reply = reply(7, Delay.SLEEP_1_MS);
    assertTrue(frame.lengthFits(reply, 0));
    assertNull(frame.fault(reply, 0, 7, Delay.SLEEP_1_MS, false));
  }

  @Test
  void shouldTakeAPlainEchoFromTheFloorOnly() {
    ByteBuffer echo = ByteBuffer.allocate(frame.bytes());
    frame.putRequest(echo, 7, Delay.NONE);
    assertNull(frame.fault(echo, 0, 7, Delay.NONE, true));
    assertNotNull(frame.fault(echo, 0, 7, Delay.NONE, false));
    assertNotNull(frame.fault(reply(7, Delay.NONE), 0, 7, Delay.NONE, true));
  }

  @Test
  void shouldSeeThatAReplyIsWrong() {
    assertEquals(
        "a reply to another request", frame.fault(reply(8, Delay.NONE), 0, 7, Delay.NONE, false));
    assertEquals(
        "a reply to another request",
        frame.fault(reply(7, Delay.NONE), 0, 7, Delay.SLEEP_1_MS, false));
    ByteBuffer exception = reply(7, Delay.NONE);
    exception.putInt(TYPE_AT, 0x80010003);
    assertEquals("message type 80010003", frame.fault(exception, 0, 7, Delay.NONE, false));
    ByteBuffer cut = reply(7, Delay.NONE);
    cut.put(frame.bytes() - 2, (byte) 0);
    assertEquals("a payload that was changed", frame.fault(cut, 0, 7, Delay.NONE, false));
  }

  private ByteBuffer reply(int sequence, Delay delay) {
    ByteBuffer reply = ByteBuffer.allocate(frame.bytes());
    frame.putRequest(reply, sequence, delay);
    reply.putInt(TYPE_AT, 0x80010002);
    reply.putShort(FIELD_AT, (short) 0);
    return reply;
  }
}
