package dev.ringside.trip.stream;

/**
 * Holds the result of a trip after its last point. The load generator computes it from the points
 * that it sends, the store from those that its cache returns. A point that is missing, changed,
 * duplicated or in another place changes the result.
 *
 * @param points of the trip
 * @param way along the streets in 10⁻⁷ degrees, see {@link TripSum}
 * @param millis from the first point to the last
 * @param digest over every point in its place
 */
public record FinishedTrip(long trip, int points, long way, long millis, long digest) {}
