package dev.ringside.contract.profile;

/** What a sampler saw. */
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

  /** By what it was sampled. */
  String engine() {
    return engine;
  }

  /** What the stacks count. */
  String unit() {
    return unit;
  }

  /** How many samples the stacks rest on. */
  long samples() {
    return samples;
  }

  FoldedStacks stacks() {
    return stacks;
  }
}
