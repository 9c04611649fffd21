package dev.ringside.contract.profile;

/** The result of a sampler. */
final class Profile {
  private final String engine;
  private final String unit;
  private final long samples;
  private final FoldedStacks stacks;

  Profile(String engine, String unit, long samples, FoldedStacks stacks) {
    this.engine = engine;
    this.unit = unit;
    this.samples = samples;
    this.stacks = stacks;
  }

  /** Returns the name of the sampling engine. */
  String engine() {
    return engine;
  }

  /** Returns the unit of the stacks' counts. */
  String unit() {
    return unit;
  }

  /** Returns the number of samples. */
  long samples() {
    return samples;
  }

  FoldedStacks stacks() {
    return stacks;
  }
}
