package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.thrift.internal.wire.FramePipe;
import dev.ringside.thrift.internal.wire.Frames;
import dev.ringside.thrift.internal.wire.MessageHeader;
import dev.ringside.thrift.internal.wire.ReplyBuffer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Positive;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TCompactProtocol;
import org.apache.thrift.protocol.TProtocolFactory;

/** Tests properties of the parser for every sequence of bytes. */
final class ParserPropertiesTest {
  @Property(tries = 2000)
  void shouldNeverLookOutsideItsFrame(
      @ForAll @Size(max = 80) byte[] bytes,
      @ForAll @IntRange(max = 20) int from,
      @ForAll @IntRange(max = 20) int behind) {
    byte[] surrounded = new byte[from + bytes.length + behind];
    System.arraycopy(bytes, 0, surrounded, from, bytes.length);
    MessageHeader header = new MessageHeader();
    header.parse(surrounded, from, from + bytes.length);
    assertTrue(from <= header.nameFrom());
    assertTrue(header.nameFrom() <= header.nameTo());
    assertTrue(header.nameTo() <= from + bytes.length);
    assertTrue(from <= header.headerEnd() && header.headerEnd() <= from + bytes.length);
  }

  /** Begins frames with bytes that select a protocol in the parser. */
  @Property(tries = 2000)
  void shouldNeverLookOutsideAFrameThatBeginsWell(
      @ForAll @IntRange(max = 3) int kind, @ForAll @Size(min = 4, max = 40) byte[] bytes) {
    byte[] first = {(byte) 0x80, (byte) 0x82, '[', 0};
    bytes[0] = first[kind];
    if (kind == 0) {
      bytes[1] = 1;
    }
    shouldNeverLookOutsideItsFrame(bytes, 3, 0);
  }

  @Property(tries = 300)
  void shouldFindTheNameOfEveryMessage(
      @ForAll @AlphaChars @StringLength(min = 1, max = 60) String name,
      @ForAll int sequence,
      @ForAll @IntRange(max = 2) int kind)
      throws Exception {
    TProtocolFactory protocol =
        Arrays.<TProtocolFactory>asList(
                new TBinaryProtocol.Factory(true, true),
                new TBinaryProtocol.Factory(false, false),
                new TCompactProtocol.Factory())
            .get(kind);
    byte[] frame = Client.frame(protocol, name, (byte) 1, sequence, new byte[5]);
    MessageHeader header = new MessageHeader();
    header.parse(frame, 4, frame.length);
    assertEquals(name, new String(frame, header.nameFrom(), header.nameTo() - header.nameFrom()));
  }

  @Property(tries = 1000)
  void shouldGrowByWhatHasComeAndNotByWhatIsAnnounced(
      @ForAll @Positive int most, @ForAll @IntRange(min = 1, max = 10_000) int needed) {
    int capacity = Frames.capacity(needed, most);
    assertTrue(capacity >= needed);
    assertTrue(capacity <= 4 * needed);
    assertTrue(capacity <= Math.max(needed, most));
  }

  @Property(tries = 500)
  void shouldFrameWhateverIsWritten(@ForAll @Size(max = 20) List<@Size(max = 300) byte[]> replies) {
    ReplyBuffer buffer = new ReplyBuffer(16, 0);
    FramePipe out = new FramePipe(false, 1 << 20);
    out.lend(buffer);
    List<byte[]> expected = new ArrayList<>();
    for (byte[] reply : replies) {
      int mark = buffer.size();
      out.begin();
      out.write(reply, 0, reply.length);
      if (reply.length % 5 == 1) {
        buffer.rewind(mark);
        continue;
      }
      if (reply.length % 2 == 0) {
        out.flush();
      }
      out.end();
      if (reply.length > 0) {
        expected.add(reply);
      }
    }
    ByteBuffer sent = ByteBuffer.allocate(buffer.size());
    for (ByteBuffer piece : buffer.toSend()) {
      sent.put(piece);
    }
    sent.flip();
    for (byte[] reply : expected) {
      byte[] bytes = new byte[sent.getInt()];
      sent.get(bytes);
      assertArrayEquals(reply, bytes);
    }
    assertFalse(sent.hasRemaining());
  }
}
