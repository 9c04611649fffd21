package dev.ringside.gps;

/**
 * What became of all points.
 *
 * @param sent each once, however often it was sent again
 * @param acknowledged of them
 * @param kept of those: in the cache in the end, as they were sent
 * @param lost of those: not there, though nobody said so
 * @param refused of those: acknowledged as points whose trips lack what was before them
 * @param wrong of those: of trips that the cache has otherwise than they were sent
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

  /** Whether it comes out even: every acknowledged point has one end. */
  boolean isEven() {
    return acknowledged == kept + lost + refused + wrong;
  }
}
