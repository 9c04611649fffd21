package dev.ringside.udp.load;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  @ParameterizedTest
  @CsvSource({
    "FEDCBA9876543210, ?EDCBA9876543210", // the asker's digits
    "FEDCBA9876543210, fEDCBA9876543210",
    "000000000000000F, 000000000000000?", // the request's digits
    "000000000000000F, 000000000000000f",
    "000000000000000F, F00000000000000F",
  })
  void shouldNotTakeOtherDigitsForItsOwn(String digits, String changed) {
    String answer = written(15, 40).toUpperCase(Locale.ROOT);
    assertEquals(15, MINE.numberOf(ascii(answer)));
    String other = answer.replace(digits, changed);
    assertNotEquals(answer, other);
    assertEquals(Message.NOT_MINE, MINE.numberOf(ascii(other)));
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
    ByteBuffer same = ascii(written(27, 3));
    assertEquals("letter 1 of the answer is 'b', and not 'B'", fault(same, 27, 3));
  }

  private String written(long number, int letters) {
    MINE.write(buffer, number, letters);
    return StandardCharsets.US_ASCII.decode(buffer.duplicate()).toString();
  }

  private static ByteBuffer capitals(String text) {
    return ascii(text.toUpperCase(Locale.ROOT));
  }

  private static ByteBuffer ascii(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
  }

  private static String fault(ByteBuffer answer, long number, int letters) {
    return assertThrows(IOException.class, () -> MINE.check(answer, number, letters)).getMessage();
  }
}
