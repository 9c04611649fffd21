package dev.ringside.load;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * The outcome of an operation: answered, possibly with a name such as a hit or a miss; unanswered,
 * such as a rejection by a busy server or a lost packet; or failed. The first two are counted by
 * name and are not errors. Loads keep constants of outcomes, because creating one matches its name
 * against a pattern.
 */
public final class Outcome {
  /** Answered, where outcomes have no names. */
  public static final Outcome DONE = new Outcome("", true, null);

  private static final Map<ErrorKind, Outcome> FAILED = new EnumMap<>(ErrorKind.class);

  static {
    for (ErrorKind kind : ErrorKind.values()) {
      FAILED.put(kind, new Outcome("", false, kind));
    }
  }

  /**
   * The pattern that meter accepts: the name becomes part of a name in the summary and of a table
   * cell.
   */
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,31}");

  private final String name;
  private final boolean answered;
  private final ErrorKind error;

  private Outcome(String name, boolean answered, ErrorKind error) {
    this.name = name;
    this.answered = answered;
    this.error = error;
  }

  /** Returns an answer of that name; its time is in the log. */
  public static Outcome answered(String name) {
    return new Outcome(checked(name), true, null);
  }

  /**
   * Returns an operation without an answer that is not an error: it is counted, and its time is in
   * no log.
   */
  public static Outcome unanswered(String name) {
    return new Outcome(checked(name), false, null);
  }

  /** Returns a failure; always the same object for a kind. */
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

  /** Returns the name; empty for {@link #DONE} and for failures. */
  public String name() {
    return name;
  }

  /** Reports whether the operation was answered and so has a time. */
  public boolean isAnswered() {
    return answered;
  }

  /** Returns the kind of error; null if the operation did not fail. */
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
