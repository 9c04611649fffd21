package dev.ringside.contract.profile;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Normalizes names of frames and threads, so that the same code has the same name in every process
 * and every thread of a kind, and stacks can be added and compared. All methods are pure functions.
 */
final class Frames {
  /** The prefix of a stack in async-profiler's output; a thread can be without a name. */
  private static final Pattern THREAD = Pattern.compile("^\\[(?:(.*?) )?tid=\\d+](?:;|$)");

  private static final String NAMELESS = "unnamed thread";
  private static final int MAX_THREAD_NAME = 100;

  /** Numbers of threads; not the 2 of C2 or the 16 of UTF16. */
  private static final Pattern NUMBER =
      Pattern.compile("(?<![A-Za-z0-9])\\d+|(?<=[a-z]{2})\\d+|\\d+$");

  /**
   * Addresses in names of lambdas and other hidden classes: an address after '.', in Java 8 a
   * number after '/'.
   */
  private static final Pattern ADDRESS =
      Pattern.compile(
          "(?:(?<=\\$\\$Lambda)\\$\\d+)?(?:[./]0x[0-9a-f]+|/\\d+(?=\\.[^;/.]+(?:;|$)))");

  private static final Pattern GENERATED = Pattern.compile("(Generated\\w+Accessor|\\$Proxy)\\d+");

  /**
   * Numbers in names of libraries that a JVM unpacked: {@code /tmp/librocksdbjni160177443465.so}.
   */
  private static final Pattern UNPACKED = Pattern.compile("\\d{6,}(?=\\.(?:so|tmp)(?:;|$))");

  private Frames() {}

  /** Returns a stack of async-profiler's output with its thread's kind as the root frame. */
  static String stable(String stack) {
    Matcher thread = THREAD.matcher(stack);
    boolean told = thread.find();
    String root = kind(told && thread.group(1) != null ? thread.group(1) : "");
    String frames = told ? stack.substring(thread.end()) : stack;
    return frames.isEmpty() ? root : root + ';' + withoutNumbers(frames);
  }

  /** Returns the root frame of a stack that {@link #stable} returned. */
  static String root(String stack) {
    int end = stack.indexOf(';');
    return end < 0 ? stack : stack.substring(0, end);
  }

  /** Returns the part of a thread's name that all threads of its pool share. */
  static String kind(String threadName) {
    String name = NUMBER.matcher(threadName).replaceAll("#").replaceAll("#+", "#");
    // Frame separators and line ends must not be part of a name.
    name = name.replaceAll("[;\\p{Cntrl}]", "_").trim();
    if (name.isEmpty()) {
      return NAMELESS;
    }
    return name.length() <= MAX_THREAD_NAME ? name : name.substring(0, MAX_THREAD_NAME);
  }

  private static String withoutNumbers(String frames) {
    String known = UNPACKED.matcher(ADDRESS.matcher(frames).replaceAll("")).replaceAll("");
    return GENERATED.matcher(known).replaceAll("$1");
  }
}
