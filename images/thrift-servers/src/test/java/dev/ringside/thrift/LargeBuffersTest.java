package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.thrift.internal.wire.LargeBuffers;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class LargeBuffersTest {
  private static final int LIMIT = 4 << 20;

  private final LargeBuffers large = new LargeBuffers(LIMIT);

  @Test
  void shouldLendABufferAgain() {
    ByteBuffer first = large.take(100_000);
    ByteBuffer second = large.take(100_000);
    assertNotSame(first, second);
    first.put(new byte[1000]);
    large.giveBack(first);
    ByteBuffer again = large.take(90_000);
    assertSame(first, again);
    assertEquals(0, again.position());
    assertEquals(again.capacity(), again.limit());
  }

  @Test
  void shouldLendTheSmallestThatIsLargeEnough() {
    ByteBuffer huge = large.take(1 << 20);
    ByteBuffer small = large.take(70_000);
    ByteBuffer medium = large.take(200_000);
    large.giveBack(small);
    large.giveBack(huge);
    large.giveBack(medium);
    assertSame(medium, large.take(150_000));
    assertSame(huge, large.take(150_000));
  }

  @Test
  void shouldDropBuffersThatAreTooSmallForALargerOne() {
    List<ByteBuffer> small = new ArrayList<>();
    for (int i = 0; i < 32; i++) {
      small.add(large.take(100_000));
    }
    small.forEach(large::giveBack);
    assertEquals(LIMIT, large.keptBytes());
    assertTrue(large.take(1 << 20).isDirect());
    assertEquals(LIMIT, large.lentBytes() + large.keptBytes());
  }

  @Test
  void shouldNeverLendOrKeepMoreDirectMemoryThanTheLimit() {
    Random random = new Random(1);
    List<ByteBuffer> lent = new ArrayList<>();
    boolean array = false;
    for (int i = 0; i < 10_000; i++) {
      if (random.nextInt(lent.size() + 2) < 2) {
        int bytes = 1 + random.nextInt(random.nextBoolean() ? 100_000 : 2 << 20);
        ByteBuffer taken = large.take(bytes);
        assertTrue(taken.capacity() >= bytes);
        array |= !taken.isDirect();
        lent.add(taken);
      } else {
        large.giveBack(lent.remove(random.nextInt(lent.size())));
      }
      long direct =
          lent.stream().filter(ByteBuffer::isDirect).mapToLong(ByteBuffer::capacity).sum();
      assertEquals(direct, large.lentBytes());
      assertTrue(direct + large.keptBytes() <= LIMIT);
    }
    lent.forEach(large::giveBack);
    assertTrue(array);
    assertEquals(0, large.lentBytes());
  }

  @Test
  void shouldLendArraysBeyondTheLimit() {
    ByteBuffer array = large.take(LIMIT + 1);
    assertFalse(array.isDirect());
    large.giveBack(array);
    assertEquals(0, large.lentBytes() + large.keptBytes());
  }
}
