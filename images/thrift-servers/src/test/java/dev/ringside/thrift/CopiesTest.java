package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.thrift.internal.wire.ReplyBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how often the bytes of a large frame are copied. */
final class CopiesTest {
  /** As generated code writes a reply: numbers, a field, the end of the message. */
  @ParameterizedTest
  @ValueSource(ints = {100, 1000, 64 << 10, 1 << 20})
  void shouldNotCopyALargeFieldForTheEndOfItsMessage(int length) {
    ReplyBuffer replies = new ReplyBuffer(100);
    replies.beginFrame();
    replies.write(new byte[20], 0, 20);
    replies.write(new byte[length], 0, length);
    byte[] bytes = replies.bytes();
    for (int i = 0; i < 20; i++) {
      replies.write(new byte[1], 0, 1);
    }
    replies.endFrame();
    assertTrue(bytes == replies.bytes(), "it was copied");
  }
}
