package dev.ringside.udp.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.load.LoadFailedException;
import dev.ringside.load.OrdersException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class UdpLoadTest {
  private static final List<String> NONE = List.of();

  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Map<String, String> environment = new HashMap<>();

  @TempDir private Path scratch;

  @BeforeEach
  void orders() {
    environment.put("RINGSIDE_OPERATION", "echo");
    environment.put("RINGSIDE_OPERATIONS", "100");
    environment.put("RINGSIDE_KEYS", "1");
    environment.put("RINGSIDE_THREADS", "1");
    environment.put("RINGSIDE_HLOG", scratch.resolve("hlog").toString());
    environment.put("RINGSIDE_SUMMARY", scratch.resolve("summary").toString());
    environment.put("RINGSIDE_PARAM_TIMEOUT_MS", "10000"); // long enough for a busy machine
    environment.put("RINGSIDE_ENDPOINTS", "127.0.0.1:9");
  }

  @Test
  void shouldCountEveryRequestThatIsAnsweredRight() throws Exception {
    environment.put("RINGSIDE_THREADS", "4");
    Map<String, Long> summary = summaryOf((number, text) -> List.of(text));
    assertEquals(100, summary.get("operations"));
    assertEquals(100, summary.get("outcome.echoed"));
    assertEquals(0, summary.get("errors"));
  }

  @Test
  void shouldCallARequestWithoutAnAnswerLostAndNoError() throws Exception {
    environment.put("RINGSIDE_PARAM_TIMEOUT_MS", "1000");
    Map<String, Long> summary =
        summaryOf((number, text) -> number % 20 == 19 ? NONE : List.of(text));
    // The greeting is request 0, so the load's requests are 1 to 100.
    assertEquals(5, summary.get("outcome.lost"));
    assertEquals(5, summary.get("unanswered"));
    assertEquals(95, summary.get("operations"));
    assertEquals(0, summary.get("errors"));
  }

  @Test
  void shouldCountSecondAnswersAndThoseThatComeTooLate() throws Exception {
    environment.put("RINGSIDE_PARAM_TIMEOUT_MS", "1000");
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
    assertEquals(0, summary.get("errors"));
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
    assertTrue(err.toString(StandardCharsets.UTF_8).contains("the answer"), err::toString);
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
    environment.put("RINGSIDE_PARAM_TIMEOUT_MS", "500");
    String fault =
        assertThrows(LoadFailedException.class, () -> summaryOf((number, text) -> NONE))
            .getMessage();
    assertTrue(fault.contains("no answer to 10 requests, 500 ms each"), fault);
  }

  @Test
  void shouldKeepAConstantRate() throws Exception {
    environment.put("RINGSIDE_TARGET_RATE", "1000");
    Map<String, Long> summary = summaryOf((number, text) -> List.of(text));
    assertEquals(100, summary.get("operations"));
    String log = Files.readString(Path.of(environment.get("RINGSIDE_HLOG")));
    assertTrue(log.contains("Tag=echo-rt,"), log);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "RINGSIDE_OPERATION | write | RINGSIDE_OPERATION is 'write': it is one of echo",
        "RINGSIDE_PARAM_SIZE_MIN | 32 | RINGSIDE_PARAM_SIZE_MIN is '32': give a whole number from 33",
        "RINGSIDE_PARAM_SIZE_MAX | 1025 | datagrams of 64 to 1025 bytes (RINGSIDE_PARAM_SIZE_MIN,"
            + " RINGSIDE_PARAM_SIZE_MAX): give sizes from 33 to 1024, the smaller first",
        "RINGSIDE_PARAM_TIMEOUT_MS | 0 | RINGSIDE_PARAM_TIMEOUT_MS is '0': give a whole number from 1",
        "RINGSIDE_THREADS | 0 | RINGSIDE_THREADS is '0'",
      })
  void shouldRefuseOrdersThatMakeNoSenseInOneLine(String name, String value, String says) {
    environment.put(name, value);
    String fault =
        assertThrows(OrdersException.class, () -> Orders.of(environment::get)).getMessage();
    assertTrue(fault.startsWith(says), fault);
    assertEquals(1, fault.lines().count());
  }

  @ParameterizedTest
  @CsvSource({"RINGSIDE_PARAM_SIZE_MIN, 300", "RINGSIDE_PARAM_SIZE_MAX, 40"})
  void shouldLetTheOtherSizeGiveWayWhereOneIsGiven(String name, String bytes) {
    environment.put(name, bytes);
    assertEquals(
        Integer.parseInt(bytes), Orders.of(environment::get).lettersMax() + Message.HEADER_BYTES);
  }

  @Test
  void shouldRefuseSizesOfWhichTheFirstIsTheGreater() {
    environment.put("RINGSIDE_PARAM_SIZE_MIN", "64");
    environment.put("RINGSIDE_PARAM_SIZE_MAX", "40");
    String fault =
        assertThrows(OrdersException.class, () -> Orders.of(environment::get)).getMessage();
    assertTrue(fault.startsWith("datagrams of 64 to 40 bytes"), fault);
  }

  private Map<String, Long> summaryOf(BiFunction<Integer, String, List<String>> answers)
      throws Exception {
    try (FakeServer server = new FakeServer(answers)) {
      environment.put("RINGSIDE_ENDPOINTS", server.endpoint());
      PrintStream said = new PrintStream(err, true, StandardCharsets.UTF_8);
      UdpLoad.run(environment::get, said, said);
    }
    Map<String, Long> summary = new TreeMap<>();
    for (String line : Files.readAllLines(Path.of(environment.get("RINGSIDE_SUMMARY")))) {
      String[] pair = line.split("=", 2);
      summary.put(pair[0], Long.parseLong(pair[1]));
    }
    return summary;
  }
}
