package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.thrift.internal.wire.Frames;
import dev.ringside.thrift.internal.wire.Inbox;
import dev.ringside.thrift.internal.wire.ReadBudget;
import dev.ringside.thrift.internal.wire.ReplyBuffer;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how often the bytes of a large frame are copied. */
final class CopiesTest {
  private static final int READ = 64 << 10;

  /** As a loop receives a frame: in reads of one size. */
  @ParameterizedTest
  @CsvSource({"65576, 1", "200000, 1", "1048616, 2", "16000000, 4"})
  void shouldCopyALargeFrameSeldomWhileItArrives(int length, int arrays) {
    Inbox inbox = new Inbox(new ReadBudget(1 << 30, () -> {}), length);
    ByteBuffer frame = ByteBuffer.allocate(Frames.HEADER + length).putInt(length);
    frame.rewind();
    Set<byte[]> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    while (frame.hasRemaining()) {
      inbox.append(frame, Math.min(READ, frame.remaining()), 0);
      seen.add(inbox.bytes());
    }
    assertEquals(Frames.HEADER + length, inbox.to() - inbox.from());
    assertEquals(Frames.HEADER + length, inbox.bytes().length, "and has no more than that");
    assertEquals(arrays, seen.size());
  }

  @Test
  void shouldKnowAFrameThatIsNotComplete() {
    ByteBuffer bytes = ByteBuffer.allocate(20).putInt(10);
    bytes.rewind();
    assertFalse(Frames.isCut(bytes, 3, 100), "its length is not complete");
    assertTrue(Frames.isCut(bytes, 4, 100));
    assertTrue(Frames.isCut(bytes, 13, 100));
    assertFalse(Frames.isCut(bytes, 14, 100));
    assertFalse(Frames.isCut(bytes, 20, 100), "a second one begins");
    assertFalse(Frames.isCut(bytes, 13, 9), "it will be refused");
    bytes.putInt(0, -1);
    assertFalse(Frames.isCut(bytes, 13, 100));
  }

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
