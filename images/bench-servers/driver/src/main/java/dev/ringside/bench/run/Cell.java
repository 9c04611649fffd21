package dev.ringside.bench.run;

import dev.ringside.bench.wire.Handler;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Is one kind of load.
 *
 * @param handler kind of the server's handler
 * @param connections number of connections
 * @param depth requests in flight on each of them
 */
record Cell(Handler handler, int connections, int depth) {
  private static final List<Integer> CONNECTIONS = List.of(1, 16, 64, 256, 1000);
  private static final List<Integer> DEPTHS = List.of(1, 8);
  private static final int MOST_CONNECTIONS = 10_000;
  private static final int MOST_DEPTH = 1000;

  /** Returns the valid values of each part, for users. */
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
   * Returns the cells of a list of {@code handler/connections/depth}. Each part is one value or
   * {@code *}.
   *
   * @throws IllegalArgumentException with one line that describes the error
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
      // reported below
    }
    throw new IllegalArgumentException(
        "'" + part + "' in cell '" + pattern + "' is no number from 1 to " + most);
  }

  @Override
  public String toString() {
    return handler.id() + "/" + connections + "/" + depth;
  }
}
