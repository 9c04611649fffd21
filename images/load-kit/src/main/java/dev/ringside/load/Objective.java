package dev.ringside.load;

/** What a rate must keep to for a server to be said to bear it. */
interface Objective {
  /** Operations that a step must have for its verdict to be more than luck. */
  long operations();

  /** The figure that is held against the bound, for the record. */
  long figure(StepResult step);

  /** Whether the step kept to it. */
  boolean kept(StepResult step);
}
