package dev.ringside.http.lsm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.ByteBuffer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class RecordsTest {
  @Property(tries = 200)
  void shouldGiveBackWhatWasRecorded(
      @ForAll @Size(max = 40) byte[] key, @ForAll @Size(max = 400) byte[] value) {
    ByteBuffer log = Records.encode(new Entry(key, value));
    Entry entry = Records.decode(log);
    assertArrayEquals(key, entry.key());
    assertArrayEquals(value, entry.value());
    assertEquals(0, log.remaining());
  }

  @Test
  void shouldTellARemovalFromAnEmptyValue() {
    assertNull(Records.decode(Records.encode(Bytes.entry("k", null))).value());
    assertEquals(0, Records.decode(Records.encode(Bytes.entry("k", ""))).value().length);
  }

  @Property(tries = 200)
  void shouldStopWhereARecordIsTornOrOverwritten(
      @ForAll @IntRange(min = 0, max = 35) int at, @ForAll @IntRange(min = 1, max = 255) int flip) {
    ByteBuffer whole = Records.encode(Bytes.entry("some key", "some value"));
    ByteBuffer log = ByteBuffer.allocate(2 * whole.remaining());
    log.put(whole.duplicate()).put(whole).flip();
    int first = log.limit() / 2;
    assertEquals(34, first, "the property covers every byte");
    ByteBuffer torn = log.duplicate().limit(Math.min(log.limit() - 1, first + at));
    Records.decode(torn);
    assertEquals(first, torn.position());
    assertNull(Records.decode(torn), "what is left of it is no record");
    assertEquals(first, torn.position());

    int broken = first + Math.min(at, first - 1);
    log.put(broken, (byte) (log.get(broken) ^ flip));
    Records.decode(log);
    assertNull(Records.decode(log), () -> "byte " + (broken - first));
    assertEquals(first, log.position());
  }
}
