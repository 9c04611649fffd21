package dev.ringside.bench.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EchoFrameTest {
  private static final int TYPE_AT = 4;
  private static final int FIELD_AT = 4 + 4 + 4 + 4 + 4 + 1;

  private final EchoFrame frame = new EchoFrame(Handler.AT_ONCE);

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
  }

  @Test
  void shouldSeeThatAByteOfATailIsWrong() {
    int head = frame.headBytes();
    int count = frame.bytes() - head;
    ByteBuffer reply = reply(7, Delay.NONE);
    assertNull(frame.tailFault(reply, head, count, 0));
    for (int i = 0; i < count; i++) {
      ByteBuffer changed = reply(7, Delay.NONE);
      changed.put(head + i, (byte) (changed.get(head + i) + 1));
      assertEquals("a payload that was changed", frame.tailFault(changed, head, count, 0));
      assertNull(frame.tailFault(changed, head, i, 0), "what comes before it");
      assertNull(frame.tailFault(changed, head + i + 1, count - i - 1, i + 1), "what follows");
      assertEquals(frame.bytes(), changed.position(), "it consumes nothing");
    }
  }

  @ParameterizedTest
  @CsvSource({"AT_ONCE, 100", "AT_ONCE_64K, 65536", "AT_ONCE_1M, 1048576"})
  void shouldHaveAPayloadOfTheHandlersSize(Handler handler, int payloadBytes) {
    EchoFrame large = new EchoFrame(handler);
    ByteBuffer request = ByteBuffer.allocate(large.bytes());
    large.putRequest(request, 7, Delay.NONE);
    assertFalse(request.hasRemaining());
    int lengthAt = large.headBytes() - 1 - 4 - 4;
    assertEquals(payloadBytes, request.getInt(lengthAt));
    assertEquals(lengthAt + 4 + payloadBytes + 1, large.bytes());
    assertTrue(large.lengthFits(request, 0));
    ByteBuffer pieces = ByteBuffer.allocate(large.bytes());
    large.putHead(pieces, 7, Delay.NONE);
    assertEquals(request.flip(), pieces.put(large.tail()).flip());
  }

  private ByteBuffer reply(int sequence, Delay delay) {
    ByteBuffer reply = ByteBuffer.allocate(frame.bytes());
    frame.putRequest(reply, sequence, delay);
    reply.putInt(TYPE_AT, 0x80010002);
    reply.putShort(FIELD_AT, (short) 0);
    return reply;
  }
}
