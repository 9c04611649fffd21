package dev.ringside.load;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * What became of an operation: found or missed, refused because the server was busy, lost on its
 * way, or failed. All but the last are counted beside the answers and make no error. Loads keep
 * constants of them: making one costs a match of its name.
 */
public final class Outcome {
  /** Answered, where there is nothing to tell apart. */
  public static final Outcome DONE = new Outcome("", true, null);

  private static final Map<ErrorKind, Outcome> FAILED = new EnumMap<>(ErrorKind.class);

  static {
    for (ErrorKind kind : ErrorKind.values()) {
      FAILED.put(kind, new Outcome("", false, kind));
    }
  }

  /** As meter takes it: it becomes part of a name in the summary, and of a cell in a table. */
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,31}");

  private final String name;
  private final boolean answered;
  private final ErrorKind error;

  private Outcome(String name, boolean answered, ErrorKind error) {
    this.name = name;
    this.answered = answered;
    this.error = error;
  }

  /** An answer of that name: its time is in the log. */
  public static Outcome answered(String name) {
    return new Outcome(checked(name), true, null);
  }

  /** No answer, and no fault either: it is counted, and its time is in no log. */
  public static Outcome unanswered(String name) {
    return new Outcome(checked(name), false, null);
  }

  /** It failed: always the same one of a kind. */
  static Outcome failed(ErrorKind kind) {
    return FAILED.get(kind);
  }

  private static String checked(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "outcome '" + name + "': begin with a letter, use a-z, 0-9 and '-', 32 at most");
    }
    return name;
  }

  /** Empty for {@link #DONE}, and where it failed. */
  public String name() {
    return name;
  }

  /** Whether it counts as an operation and has a time. */
  public boolean isAnswered() {
    return answered;
  }

  /** Why it failed; null where it did not. */
  ErrorKind error() {
    return error;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Outcome
        && ((Outcome) other).name.equals(name)
        && ((Outcome) other).answered == answered
        && ((Outcome) other).error == error;
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, error);
  }

  @Override
  public String toString() {
    if (error != null) {
      return "failed: " + error.id();
    }
    return name.isEmpty() ? "done" : name;
  }
}
