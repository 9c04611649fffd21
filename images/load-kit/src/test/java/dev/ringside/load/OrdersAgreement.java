package dev.ringside.load;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/**
 * Compares the settings that a load accepts with the schema by which the platform rejects them
 * before the load starts. The cases in the image's orders.csv are tested on both, here and in
 * operators/internal/loadgen. A load's test extends this class.
 */
public abstract class OrdersAgreement {
  private static final String CASES = "orders.csv";
  private static final String PARAMETER = OrderSource.parameter("");
  private static final String HEAP = OrderSource.parameter("heap");

  private final Consumer<UnaryOperator<String>> reader;

  /** Valid settings, which a test changes. */
  protected final Map<String, String> environment = new HashMap<>();

  /** Creates the test of a load with that reader and that operation. */
  protected OrdersAgreement(Consumer<UnaryOperator<String>> reader, String operation) {
    this.reader = reader;
    environment.put("RINGSIDE_OPERATION", operation);
    environment.put("RINGSIDE_ENDPOINTS", "127.0.0.1:8080");
    environment.put("RINGSIDE_OPERATIONS", "10");
    environment.put("RINGSIDE_KEYS", "10");
    environment.put("RINGSIDE_THREADS", "1");
    environment.put("RINGSIDE_HLOG", "load.hlog");
    environment.put("RINGSIDE_SUMMARY", "summary");
  }

  /** Sets a variable and asserts that the load rejects it with that text. */
  protected final void assertRejected(String name, String value, String text) {
    environment.put(name, value);
    String message =
        assertThrows(OrdersException.class, () -> reader.accept(environment::get)).getMessage();
    assertTrue(message.contains(text), message);
  }

  @ParameterizedTest(name = "{0}={1}: {2}")
  @CsvFileSource(files = CASES, numLinesToSkip = 1)
  protected void shouldTakeWhatTheSchemaTakes(String order, String value, boolean taken)
      throws IOException, InterruptedException {
    if (variable(order).equals(HEAP)) {
      assertEquals(taken, startsWithHeap(value));
      return;
    }
    environment.put(variable(order), value);
    if (taken) {
      assertDoesNotThrow(() -> reader.accept(environment::get));
    } else {
      assertThrows(OrdersException.class, () -> reader.accept(environment::get));
    }
  }

  @Test
  protected void shouldReadEveryParameterOfTheSchemaAndNoOther() throws IOException {
    Set<String> read = new TreeSet<>();
    reader.accept(
        name -> {
          if (name.startsWith(PARAMETER)) {
            read.add(name);
          }
          return environment.get(name);
        });
    Matcher inScript = Pattern.compile(PARAMETER + "[A-Z_]+").matcher(text(Paths.get("load")));
    while (inScript.find()) {
      read.add(inScript.group());
    }
    Set<String> tried = new TreeSet<>();
    for (String line : text(Paths.get(CASES)).split("\n")) {
      tried.add(variable(line.substring(0, line.indexOf(','))));
    }
    tried.removeIf(name -> !name.startsWith(PARAMETER));
    assertEquals(tried, read);
  }

  private static String variable(String order) {
    switch (order) {
      case "order": // the heading
        return order;
      case "operation":
        return "RINGSIDE_OPERATION";
      case "consistency":
        return "RINGSIDE_CONSISTENCY";
      default:
        return OrderSource.parameter(order);
    }
  }

  /** The JVM accepts or rejects the heap, which /load passes to it. */
  private static boolean startsWithHeap(String heap) throws IOException, InterruptedException {
    String java = Paths.get(System.getProperty("java.home"), "bin", "java").toString();
    return new ProcessBuilder(java, "-Xms" + heap, "-Xmx" + heap, "-version")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor()
        == 0;
  }

  private static String text(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }
}
