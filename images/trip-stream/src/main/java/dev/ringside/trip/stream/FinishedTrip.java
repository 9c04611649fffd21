package dev.ringside.trip.stream;

/**
 * What comes out when the last point of a trip is there. Generator and store work it out each for
 * itself: the one from the points that it makes, the other from those that its cache gives back. A
 * point that is missing, changed, there twice or in another place makes another trip of it.
 *
 * @param points of the trip
 * @param way along the streets in 10⁻⁷ degrees, see {@link TripSum}
 * @param millis from the first point to the last
 * @param digest over every point in its place
 */
public record FinishedTrip(long trip, int points, long way, long millis, long digest) {}
