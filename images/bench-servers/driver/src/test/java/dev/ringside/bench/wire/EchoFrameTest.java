package dev.ringside.bench.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EchoFrameTest {
  private static final int SEQUENCE = 0x01020304;

  @ParameterizedTest
  @CsvSource({"AT_ONCE, 100", "AT_ONCE_64K, 65536", "AT_ONCE_1M, 1048576"})
  void shouldBeACallInThriftsBinaryProtocol(Handler handler, int payloadBytes) {
    byte[] request = new EchoFrame(handler).request(SEQUENCE, Delay.SLEEP_1_MS);
    ByteBuffer bytes = ByteBuffer.wrap(request);
    assertEquals(request.length - 4, bytes.getInt());
    assertEquals(0x80010001, bytes.getInt());
    byte[] name = new byte[bytes.getInt()];
    bytes.get(name);
    assertEquals(handler.method(), new String(name, StandardCharsets.US_ASCII));
    assertEquals(SEQUENCE, bytes.getInt());
    assertEquals(11, bytes.get(), "a string");
    assertEquals(1, bytes.getShort());
    assertEquals(payloadBytes, bytes.getInt());
    assertEquals(Delay.SLEEP_1_MS.code(), bytes.get());
    assertEquals(SEQUENCE, bytes.getInt());
    bytes.position(bytes.position() + payloadBytes - 5);
    assertEquals(0, bytes.get());
    assertEquals(0, bytes.remaining());
  }

  /** The load generator knows these places only. */
  @Test
  void shouldDifferInTheNamedPlacesOnly() {
    EchoFrame frame = new EchoFrame(Handler.MIXED);
    Set<Integer> places = new HashSet<>(List.of(frame.delayAt()));
    for (int i = 0; i < Integer.BYTES; i++) {
      places.addAll(List.of(frame.sequenceAt() + i, frame.numberAt() + i));
    }
    assertEquals(
        places,
        differences(frame.request(0, Delay.NONE), frame.request(SEQUENCE, Delay.SLEEP_20_MS)));
    assertEquals(
        places, differences(frame.reply(0, Delay.NONE), frame.reply(SEQUENCE, Delay.SLEEP_20_MS)));
  }

  @Test
  void shouldHaveRepliesThatDifferInTypeAndField() {
    EchoFrame frame = new EchoFrame(Handler.AT_ONCE);
    byte[] request = frame.request(SEQUENCE, Delay.NONE);
    byte[] reply = frame.reply(SEQUENCE, Delay.NONE);
    assertEquals(0x80010002, ByteBuffer.wrap(reply).getInt(4));
    int fieldAt = frame.sequenceAt() + 4 + 1;
    assertEquals(0, ByteBuffer.wrap(reply).getShort(fieldAt));
    assertEquals(Set.of(7, fieldAt + 1), differences(request, reply));
    assertEquals(frame.bytes(), reply.length);
  }

  private static Set<Integer> differences(byte[] a, byte[] b) {
    Set<Integer> differences = new HashSet<>();
    for (int at = 0; at < a.length; at++) {
      if (a[at] != b[at]) {
        differences.add(at);
      }
    }
    assertEquals(a.length, b.length);
    return differences;
  }
}
