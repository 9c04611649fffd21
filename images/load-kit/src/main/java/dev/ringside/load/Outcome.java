package dev.ringside.load;

import java.util.regex.Pattern;

/**
 * What became of an operation that did not fail: found or missed, refused because the server was
 * busy, lost on its way. Outcomes are counted beside the answers and make no error. Loads keep
 * constants of them: making one costs a match of its name.
 */
public final class Outcome {
  /** Answered, where there is nothing to tell apart. */
  public static final Outcome DONE = new Outcome("", true);

  /** As meter takes it: it becomes part of a name in the summary, and of a cell in a table. */
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,31}");

  private final String name;
  private final boolean answered;

  private Outcome(String name, boolean answered) {
    this.name = name;
    this.answered = answered;
  }

  /** An answer of that name: its time is in the log. */
  public static Outcome answered(String name) {
    return new Outcome(checked(name), true);
  }

  /** No answer, and no fault either: it is counted, and its time is in no log. */
  public static Outcome unanswered(String name) {
    return new Outcome(checked(name), false);
  }

  private static String checked(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "outcome '" + name + "': begin with a letter, use a-z, 0-9 and '-', 32 at most");
    }
    return name;
  }

  /** Empty for {@link #DONE}. */
  public String name() {
    return name;
  }

  /** Whether it counts as an operation and has a time. */
  public boolean isAnswered() {
    return answered;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Outcome
        && ((Outcome) other).name.equals(name)
        && ((Outcome) other).answered == answered;
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  @Override
  public String toString() {
    return name.isEmpty() ? "done" : name;
  }
}
