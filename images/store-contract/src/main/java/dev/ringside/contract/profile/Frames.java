package dev.ringside.contract.profile;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Gives the same code the same name in every process and in every thread of a kind, so that stacks
 * can be added up and compared. Pure functions over text.
 */
final class Frames {
  /** What async-profiler writes in front of a stack; a thread may be without a name. */
  private static final Pattern THREAD = Pattern.compile("^\\[(?:(.*?) )?tid=\\d+](?:;|$)");

  private static final String NAMELESS = "unnamed thread";
  private static final int MAX_THREAD_NAME = 100;

  /** Not the 2 of C2, nor the 16 of UTF16, which number no threads. */
  private static final Pattern NUMBER =
      Pattern.compile("(?<![A-Za-z0-9])\\d+|(?<=[a-z]{2})\\d+|\\d+$");

  /** Of lambdas and other hidden classes: behind '.' an address, behind '/' in Java 8 a number. */
  private static final Pattern ADDRESS =
      Pattern.compile(
          "(?:(?<=\\$\\$Lambda)\\$\\d+)?(?:[./]0x[0-9a-f]+|/\\d+(?=\\.[^;/.]+(?:;|$)))");

  private static final Pattern GENERATED = Pattern.compile("(Generated\\w+Accessor|\\$Proxy)\\d+");

  /** Of a library that a JVM has unpacked: {@code /tmp/librocksdbjni160177443465.so}. */
  private static final Pattern UNPACKED = Pattern.compile("\\d{6,}(?=\\.(?:so|tmp)(?:;|$))");

  private Frames() {}

  /** A stack as async-profiler writes it, with its thread's kind as the root frame. */
  static String stable(String stack) {
    Matcher thread = THREAD.matcher(stack);
    boolean told = thread.find();
    String root = kind(told && thread.group(1) != null ? thread.group(1) : "");
    String frames = told ? stack.substring(thread.end()) : stack;
    return frames.isEmpty() ? root : root + ';' + withoutNumbers(frames);
  }

  /** The root frame of a stack that {@link #stable} made. */
  static String root(String stack) {
    int end = stack.indexOf(';');
    return end < 0 ? stack : stack.substring(0, end);
  }

  /** What threads of a pool have in common. */
  static String kind(String threadName) {
    String name = NUMBER.matcher(threadName).replaceAll("#").replaceAll("#+", "#");
    // What separates frames, or would end a line, is no part of a name.
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
