package dev.ringside.udp.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.load.LoadFixture;
import dev.ringside.load.LoadProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class UdpLoadTest {
  private static final List<String> NONE = List.of();

  @TempDir private Path folder;
  private LoadFixture load;

  @BeforeEach
  void orders() {
    load =
        new LoadFixture(folder, UdpLoad::run)
            .with("RINGSIDE_OPERATION", "echo", "RINGSIDE_OPERATIONS", "100")
            .with("RINGSIDE_KEYS", "1", "RINGSIDE_THREADS", "1")
            .with("RINGSIDE_PARAM_TIMEOUT_MS", "10000"); // long enough for a busy machine
  }

  @Test
  void shouldCountEveryRequestThatIsAnsweredRight() throws Exception {
    load.with("RINGSIDE_THREADS", "4");
    assertEquals(
        Map.of("operations", 100L, "outcome.echoed", 100L),
        summaryOf((number, text) -> List.of(text)));
  }

  @Test
  void shouldCallARequestWithoutAnAnswerLostAndNoError() throws Exception {
    load.with("RINGSIDE_PARAM_TIMEOUT_MS", "1000");
    Map<String, Long> summary =
        summaryOf((number, text) -> number % 20 == 19 ? NONE : List.of(text));
    // The greeting is request 0, so the load's requests are 1 to 100.
    assertEquals(
        Map.of("outcome.lost", 5L, "unanswered", 5L, "operations", 95L, "outcome.echoed", 95L),
        summary);
  }

  @Test
  void shouldCountSecondAnswersAndThoseThatComeTooLate() throws Exception {
    load.with("RINGSIDE_PARAM_TIMEOUT_MS", "1000");
    AtomicReference<String> held = new AtomicReference<>();
    Map<String, Long> summary =
        summaryOf(
            (number, text) -> {
              if (number % 20 == 10) {
                held.set(text);
                return NONE; // until the next request
              }
              String late = held.getAndSet(null);
              if (late != null) {
                return List.of(late, text);
              }
              return number % 20 == 5 ? List.of(text, text) : List.of(text);
            });
    assertEquals(5, summary.get("outcome.lost"));
    assertEquals(5, summary.get("outcome.late"));
    assertEquals(5, summary.get("outcome.duplicate"));
    assertEquals(85, summary.get("outcome.echoed"));
    assertNull(summary.get("errors"));
  }

  @Test
  void shouldCallAWrongAnswerAnError() throws Exception {
    AtomicReference<String> first = new AtomicReference<>();
    Map<String, Long> summary =
        summaryOf(
            (number, text) -> {
              if (number == 0) {
                first.set(text.substring(Message.HEADER_BYTES));
                return List.of(text);
              }
              // The published server has this error: it repeats the first text.
              return List.of(
                  number % 50 == 0 ? text.substring(0, Message.HEADER_BYTES) + first.get() : text);
            });
    assertEquals(2, summary.get("errors"));
    assertEquals(98, summary.get("operations"));
    assertTrue(load.errors().contains("the answer"), load::errors);
  }

  @Test
  void shouldCallAnAnswerWithOtherDigitsAnError() throws Exception {
    Map<String, Long> summary =
        summaryOf((number, text) -> List.of(number == 50 ? numbered(text, 49) : text));
    assertEquals(1, summary.get("errors"));
    assertNull(summary.get("outcome.duplicate"), "as which its digits had it");
    assertEquals(99, summary.get("operations"));
  }

  @Test
  void shouldCallTheAnswerToARequestThatFailedLate() throws Exception {
    Map<String, Long> summary =
        summaryOf((number, text) -> number == 50 ? List.of("not this", text) : List.of(text));
    assertEquals(1, summary.get("errors"));
    assertEquals(1, summary.get("outcome.late"));
    assertNull(summary.get("outcome.duplicate"));
  }

  private static String numbered(String text, int number) {
    return text.substring(0, Message.HEADER_BYTES - 16)
        + String.format("%016X", number)
        + text.substring(Message.HEADER_BYTES);
  }

  @Test
  void shouldFailWhereNobodyAnswersAtAll() throws Exception {
    load.with("RINGSIDE_PARAM_TIMEOUT_MS", "500");
    try (FakeServer server = new FakeServer((number, text) -> NONE)) {
      load.with("RINGSIDE_ENDPOINTS", server.endpoint())
          .endWith(LoadProcess.FAILED, "no answer to 10 requests, 500 ms each");
    }
  }

  @Test
  void shouldKeepAConstantRate() throws Exception {
    load.with("RINGSIDE_TARGET_RATE", "1000");
    Map<String, Long> summary = summaryOf((number, text) -> List.of(text));
    assertEquals(100, summary.get("operations"));
    assertEquals(100, load.logged().get("echo-rt"));
  }

  private Map<String, Long> summaryOf(BiFunction<Integer, String, List<String>> answers)
      throws Exception {
    try (FakeServer server = new FakeServer(answers)) {
      load.with("RINGSIDE_ENDPOINTS", server.endpoint()).succeed();
    }
    return load.summary();
  }
}
