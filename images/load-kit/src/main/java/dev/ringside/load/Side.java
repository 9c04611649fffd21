package dev.ringside.load;

/** An arm in a window, and the name under which it is logged there. */
public final class Side {
  private final int arm;
  private final String label;

  Side(int arm, String label) {
    this.arm = arm;
    this.label = label;
  }

  /** Returns the index of the arm. */
  public int arm() {
    return arm;
  }

  /** Returns the arm's name; for the baseline of a duet {@code <baseline>@<other>}. */
  public String label() {
    return label;
  }

  @Override
  public String toString() {
    return label;
  }
}
