package dev.ringside.trip.stream;

/** Where in its trip a point stands. */
public enum PointKind {
  /** The first. */
  BEGIN,
  /** Neither the first nor the last. */
  GO_ON,
  /** The last. */
  END,
  /**
   * None at all: asks what there is of its trip, which the acknowledgement tells as if it had
   * ended.
   */
  ASK
}
