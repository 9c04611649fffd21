package dev.ringside.udp.load;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class MessageTest {
  private static final Message MINE = new Message(0xFEDC_BA98_7654_3210L);

  private final ByteBuffer buffer = ByteBuffer.allocate(Message.MAX_BYTES);

  @Test
  void shouldSayWhoAsksWhatAndThenLettersOfThatRequest() {
    assertEquals("FEDCBA9876543210" + "000000000000001B" + "bcdef", written(27, 5));
  }

  @Test
  void shouldComeBackFromAServerThatWritesCapitals() {
    ByteBuffer answer = capitals(written(27, 40));
    assertEquals(27, MINE.numberOf(answer));
    assertDoesNotThrow(() -> MINE.check(answer, 27, 40));
  }

  @Test
  void shouldKnowAnAnswerToAnother() {
    ByteBuffer answer = capitals(written(27, 40));
    assertEquals(Message.NOT_MINE, new Message(1).numberOf(answer));
    assertEquals(Message.NOT_MINE, MINE.numberOf(capitals("FEDCBA987654321")));
  }

  @Test
  void shouldNoticeAnEarlierTextUnderANewHeader() {
    String header = written(28, 0);
    String stale = written(27, 40).substring(Message.HEADER_BYTES);
    assertEquals(
        "letter 1 of the answer is 'B', and not 'C'", fault(capitals(header + stale), 28, 40));
  }

  @Test
  void shouldNoticeTheEndOfAnEarlierLongerText() {
    String longer = written(28, 60);
    assertEquals("the answer has 92 bytes, the request had 72", fault(capitals(longer), 28, 40));
  }

  @Test
  void shouldNoticeATextThatWasNotHandled() {
    ByteBuffer same = ByteBuffer.wrap(written(27, 3).getBytes(StandardCharsets.US_ASCII));
    assertEquals("letter 1 of the answer is 'b', and not 'B'", fault(same, 27, 3));
  }

  private String written(long number, int letters) {
    MINE.write(buffer, number, letters);
    return StandardCharsets.US_ASCII.decode(buffer.duplicate()).toString();
  }

  private static ByteBuffer capitals(String text) {
    return ByteBuffer.wrap(text.toUpperCase(Locale.ROOT).getBytes(StandardCharsets.US_ASCII));
  }

  private static String fault(ByteBuffer answer, long number, int letters) {
    return assertThrows(IOException.class, () -> MINE.check(answer, number, letters)).getMessage();
  }
}
