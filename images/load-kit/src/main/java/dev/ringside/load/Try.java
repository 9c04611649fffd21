package dev.ringside.load;

/** A rate that was tried, and whether the step met the objective. */
final class Try {
  private final int rate;
  private final boolean kept;

  Try(int rate, boolean kept) {
    this.rate = rate;
    this.kept = kept;
  }

  int rate() {
    return rate;
  }

  boolean kept() {
    return kept;
  }
}
