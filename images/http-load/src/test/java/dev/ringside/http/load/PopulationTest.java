package dev.ringside.http.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PopulationTest {
  private static final int SIZE = 100;
  private final Population population = new Population(SIZE);

  @Test
  void shouldGiveEachNumberAnIdAndAValueOfItsOwn() {
    Set<String> ids = new HashSet<>();
    Set<ByteBuffer> values = new HashSet<>();
    int numbers = 50_000;
    for (int number = 0; number < numbers; number++) {
      assertTrue(ids.add(id(number)), "number " + number);
      assertTrue(values.add(value(number)), "number " + number);
    }
    assertTrue(ids.iterator().next().matches("[0-9a-f]{16}"));
  }

  @Test
  void shouldBeTheSameInEveryProcess() {
    assertEquals("e220a8397b1dcdaf", id(0));
    assertEquals(value(7), valueOf(new Population(SIZE), 7));
  }

  @Test
  void shouldKnowAValueAndNoOther() {
    byte[] got = new byte[10 + SIZE];
    value(7).get(got, 10, SIZE);
    assertTrue(population.isValue(7, got, 10, got.length));
    assertFalse(population.isValue(8, got, 10, got.length));
    assertFalse(population.isValue(7, got, 10, got.length - 1));
    got[50]++;
    assertFalse(population.isValue(7, got, 10, got.length));
  }

  private String id(long number) {
    ByteBuffer id = ByteBuffer.allocate(Population.ID_LENGTH);
    population.putId(number, id);
    return new String(id.array(), StandardCharsets.US_ASCII);
  }

  private ByteBuffer value(long number) {
    return valueOf(population, number);
  }

  private static ByteBuffer valueOf(Population population, long number) {
    ByteBuffer value = ByteBuffer.allocate(SIZE);
    population.putValue(number, value);
    return value.flip();
  }
}
