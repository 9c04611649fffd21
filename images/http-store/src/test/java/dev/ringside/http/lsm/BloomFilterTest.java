package dev.ringside.http.lsm;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class BloomFilterTest {
  @Property(tries = 100)
  void shouldNeverDenyAKeyThatWasAdded(@ForAll @Size(max = 200) List<byte[]> keys) {
    BloomFilter filter = new BloomFilter(keys.size());
    keys.forEach(filter::add);
    BloomFilter kept = new BloomFilter(copy(filter.bytes()));
    keys.forEach(key -> assertTrue(kept.mayHold(key)));
  }

  @Test
  void shouldDenyAllButAboutOneInAHundredOfTheOthers() {
    int keys = 20_000;
    BloomFilter filter = new BloomFilter(keys);
    for (int i = 0; i < keys; i++) {
      filter.add(Bytes.of("key-" + i));
    }
    int wrong = 0;
    for (int i = 0; i < keys; i++) {
      wrong += filter.mayHold(Bytes.of("other-" + i)) ? 1 : 0;
    }
    assertTrue(wrong < keys / 50, wrong + " of " + keys);
    assertTrue(wrong > keys / 500, wrong + " of " + keys + ": it holds more than its size allows");
  }

  @Test
  void shouldDenyEverythingWhenEmpty() {
    assertFalse(new BloomFilter(0).mayHold(Bytes.of("k")));
  }

  private static ByteBuffer copy(ByteBuffer bytes) {
    return ByteBuffer.allocate(bytes.remaining()).put(bytes).flip();
  }
}
