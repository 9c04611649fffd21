package dev.ringside.contract.profile;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.AbstractMap.SimpleEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The stacks of a profile: equal ones added up, and where they would be too long a text, the
 * smallest folded into one line for each kind of thread. Holds at most twice that text in memory,
 * however many are added. For one thread.
 */
final class FoldedStacks {
  private static final String SMALLER = ";[folded]";

  /** Kinds of threads that get such a line of their own; the rest share one. */
  private static final int MAX_ROOTS = 1000;

  private static final String OTHERS = "other threads";

  /** The share of the text that is kept for those lines. */
  private static final int RESERVE = 16;

  /** A space, a number and the line's end at most. */
  private static final int NUMBER_BYTES = 21;

  private final long limit;
  private final String leftOut;
  private final Map<String, Long> stacks = new HashMap<>();
  private final Map<String, Long> smaller = new HashMap<>();
  private long bytes;
  private long folded;

  /**
   * None yet.
   *
   * @param limit bytes of text at most
   * @param leftOut stacks whose thread's name begins with that are left out
   */
  FoldedStacks(long limit, String leftOut) {
    this.limit = limit - limit / RESERVE;
    this.leftOut = leftOut;
  }

  /** Adds a line that async-profiler wrote: frames, a space, a number. */
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

  /** Folds away what does not fit; the others, the largest first. */
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

  /** How many stacks were folded away to make {@link #text()} fit. */
  long folded() {
    return folded;
  }

  /** A line for each stack, the largest first. */
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
