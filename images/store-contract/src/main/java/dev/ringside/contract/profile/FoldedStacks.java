package dev.ringside.contract.profile;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.AbstractMap.SimpleEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The stacks of a profile. Counts of equal stacks are added. If the text would be too long, the
 * smallest stacks are folded into one line per kind of thread. Uses memory for at most twice the
 * limit of the text, however many stacks are added. For one thread.
 */
final class FoldedStacks {
  private static final String SMALLER = ";[folded]";

  /**
   * The greatest number of kinds of threads with a line of their own; the others share one line.
   */
  private static final int MAX_ROOTS = 1000;

  private static final String OTHERS = "other threads";

  /** The limit divided by this number is reserved for the lines of folded stacks. */
  private static final int RESERVE = 16;

  /** The most bytes of a space, a number and a line end. */
  private static final int NUMBER_BYTES = 21;

  private final long limit;
  private final String leftOut;
  private final Map<String, Long> stacks = new HashMap<>();
  private final Map<String, Long> smaller = new HashMap<>();
  private long bytes;
  private long folded;

  /**
   * Creates an empty object.
   *
   * @param limit the most bytes of text
   * @param leftOut prefix of the names of threads that are left out
   */
  FoldedStacks(long limit, String leftOut) {
    this.limit = limit - limit / RESERVE;
    this.leftOut = leftOut;
  }

  /** Adds a line of async-profiler's output: frames, a space, a number. */
  void add(String line) {
    int space = line.lastIndexOf(' ');
    if (space < 0) {
      return;
    }
    String stack = Frames.stable(line.substring(0, space));
    if (stack.startsWith(leftOut)) {
      return;
    }
    long count = Long.parseLong(line.substring(space + 1));
    Long before = stacks.put(stack, count);
    if (before != null) {
      stacks.put(stack, before + count);
      return;
    }
    bytes += bytes(stack);
    if (bytes > 2 * limit) {
      fold();
    }
  }

  /** Folds the smallest stacks until the rest fits; returns the rest, the largest first. */
  private List<Map.Entry<String, Long>> fold() {
    List<Map.Entry<String, Long>> largest = new ArrayList<>();
    stacks.forEach((stack, count) -> largest.add(new SimpleEntry<>(stack, count)));
    largest.sort(
        Map.Entry.<String, Long>comparingByValue()
            .reversed()
            .thenComparing(Map.Entry.comparingByKey()));
    while (bytes > limit) {
      Map.Entry<String, Long> smallest = largest.remove(largest.size() - 1);
      stacks.remove(smallest.getKey());
      bytes -= bytes(smallest.getKey());
      folded++;
      String root = Frames.root(smallest.getKey());
      boolean own = smaller.containsKey(root) || smaller.size() < MAX_ROOTS;
      smaller.merge(own ? root : OTHERS, smallest.getValue(), Long::sum);
    }
    return largest;
  }

  private static int bytes(String stack) {
    return stack.getBytes(StandardCharsets.UTF_8).length + NUMBER_BYTES;
  }

  /** Returns how many stacks were folded to make {@link #text()} fit. */
  long folded() {
    return folded;
  }

  /** Returns one line per stack, the largest first, and then the lines of folded stacks. */
  byte[] text() {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    fold().forEach(each -> append(text, each.getKey(), each.getValue()));
    smaller.forEach((root, count) -> append(text, root + SMALLER, count));
    return text.toByteArray();
  }

  private static void append(ByteArrayOutputStream text, String stack, long count) {
    byte[] line = (stack + ' ' + count + '\n').getBytes(StandardCharsets.UTF_8);
    text.write(line, 0, line.length);
  }
}
