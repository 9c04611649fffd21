package dev.ringside.load;

/** An arm in a window, and under which name it is logged there. */
public final class Side {
  private final int arm;
  private final String label;

  Side(int arm, String label) {
    this.arm = arm;
    this.label = label;
  }

  /** The arm's place among the arms. */
  public int arm() {
    return arm;
  }

  /** The arm's name; for a duet's baseline {@code <baseline>@<other>}. */
  public String label() {
    return label;
  }

  @Override
  public String toString() {
    return label;
  }
}
