package dev.ringside.gps;

/**
 * Counts the points of a recovery run by their result.
 *
 * @param sent points sent, each once, even if it was sent again
 * @param acknowledged points of those that were acknowledged
 * @param kept acknowledged points that the cache has unchanged
 * @param lost acknowledged points that are missing without any report of it
 * @param refused points acknowledged as gaps: their trips lack earlier points
 * @param wrong acknowledged points of trips that the cache has changed
 */
record Balance(long sent, long acknowledged, long kept, long lost, long refused, long wrong) {
  static final Balance NONE = new Balance(0, 0, 0, 0, 0, 0);

  Balance plus(Balance other) {
    return new Balance(
        sent + other.sent,
        acknowledged + other.acknowledged,
        kept + other.kept,
        lost + other.lost,
        refused + other.refused,
        wrong + other.wrong);
  }

  /** Reports whether every acknowledged point has exactly one result. */
  boolean isEven() {
    return acknowledged == kept + lost + refused + wrong;
  }
}
