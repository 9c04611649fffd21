package dev.ringside.http.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnswerTest {
  private static final String HIT =
      "HTTP/1.1 200 OK\r\nX-Other: 7\r\ncontent-LENGTH: 5\r\n\r\nhello";
  private static final String MISS = "HTTP/1.1 404 Not Found\nContent-Length:0\n\n";
  private final Answer answer = new Answer(300);

  @Test
  void shouldReadAnswersInWhateverPiecesTheyCome() throws Exception {
    for (int first = 1; first < HIT.length(); first++) {
      answer.next();
      put(HIT.substring(0, first));
      assertFalse(answer.complete(), "after " + first);
      put(HIT.substring(first));
      assertTrue(answer.complete(), "in two pieces, the first of " + first);
      assertEquals(200, answer.status());
      assertEquals("hello", answer.text());
      assertFalse(answer.closes());
    }
    answer.next();
    put(MISS);
    assertTrue(answer.complete());
    assertEquals(404, answer.status());
    assertEquals("", answer.text(), "nothing is left of the one before");
  }

  @Test
  void shouldSayWhenTheServerEndsTheConnection() throws Exception {
    put("HTTP/1.1 400 Bad Request\r\nConnection: Close\r\nContent-Length: 0\r\n\r\n");
    assertTrue(answer.complete());
    assertTrue(answer.closes());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SSH-2.0-OpenSSH_9.2~|what came is no HTTP",
        "HTTP/1.1 200 OK~Transfer-Encoding: chunked~~|the answer comes in chunks, which this load"
            + " cannot read",
        "HTTP/1.1 200 OK~Content-Length: 1~~ab|more came than was asked for",
        "HTTP/1.1 200 OK~Content-Length: -1~~|a Content-Length that is none",
        "HTTP/1.1 200 OK~Content-Length: 99999999999999999999~~|a Content-Length that is none",
        "HTTP/1.1 200 OK~Content-Length: 301~~|the answer has 301 bytes",
      })
  void shouldRefuseWhatItCannotRead(String text, String fault) {
    put(text.replace("~", "\r\n"));
    assertEquals(
        fault, assertThrows(MalformedAnswerException.class, answer::complete).getMessage());
  }

  @Test
  void shouldRefuseAHeadWithoutEnd() {
    put("HTTP/1.1 200 OK\r\nX: " + "x".repeat(1100));
    assertThrows(MalformedAnswerException.class, answer::complete);
  }

  private void put(String text) {
    answer.buffer().put(text.getBytes(StandardCharsets.US_ASCII));
  }
}
