package dev.ringside.trip.stream;

/** Defines a point's place in its trip. */
public enum PointKind {
  /** The first point. */
  BEGIN,
  /** A point between the first and the last. */
  GO_ON,
  /** The last point. */
  END,
  /**
   * No point: requests the current state of its trip, which the acknowledgement contains as if the
   * trip had ended.
   */
  ASK
}
