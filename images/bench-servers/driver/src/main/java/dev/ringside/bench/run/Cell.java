package dev.ringside.bench.run;

import dev.ringside.bench.wire.Handler;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One kind of load.
 *
 * @param handler what the server's handler does
 * @param connections connections of the load
 * @param depth requests under way on each of them
 */
record Cell(Handler handler, int connections, int depth) {
  private static final List<Integer> CONNECTIONS = List.of(1, 16, 64, 256, 1000);
  private static final List<Integer> DEPTHS = List.of(1, 8);
  private static final int MOST_CONNECTIONS = 10_000;
  private static final int MOST_DEPTH = 1000;

  /** What each part can be, for users. */
  static String parts() {
    return Arrays.stream(Handler.values()).map(Handler::id).collect(Collectors.joining(", "))
        + "; "
        + joined(CONNECTIONS)
        + "; "
        + joined(DEPTHS);
  }

  private static String joined(List<Integer> numbers) {
    return numbers.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }

  /**
   * The cells that a list of {@code handler/connections/depth} names, each part one value or {@code
   * *}.
   *
   * @throws IllegalArgumentException with one line that says what is wrong
   */
  static List<Cell> parse(List<String> patterns) {
    Set<Cell> cells = new LinkedHashSet<>();
    for (String pattern : patterns) {
      String[] parts = pattern.split("/", -1);
      if (parts.length != 3) {
        throw new IllegalArgumentException(
            "no cell in '"
                + pattern
                + "': write handler/connections/depth, such as at-once/64/1 or */16/*");
      }
      List<Handler> handlers =
          parts[0].equals("*") ? Arrays.asList(Handler.values()) : List.of(Handler.of(parts[0]));
      for (Handler handler : handlers) {
        for (int connections : numbers(parts[1], CONNECTIONS, MOST_CONNECTIONS, pattern)) {
          for (int depth : numbers(parts[2], DEPTHS, MOST_DEPTH, pattern)) {
            cells.add(new Cell(handler, connections, depth));
          }
        }
      }
    }
    return new ArrayList<>(cells);
  }

  private static List<Integer> numbers(String part, List<Integer> all, int most, String pattern) {
    if (part.equals("*")) {
      return all;
    }
    try {
      int value = Integer.parseInt(part);
      if (value >= 1 && value <= most) {
        return List.of(value);
      }
    } catch (NumberFormatException e) {
      // answered below, with the same words
    }
    throw new IllegalArgumentException(
        "'" + part + "' in cell '" + pattern + "' is no number from 1 to " + most);
  }

  @Override
  public String toString() {
    return handler.id() + "/" + connections + "/" + depth;
  }
}
