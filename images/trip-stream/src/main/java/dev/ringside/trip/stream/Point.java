package dev.ringside.trip.stream;

/**
 * Where somebody was on a trip, and when.
 *
 * @param trip its number, which no other trip has
 * @param number of the point in its trip, from 0 and without a gap
 * @param latitude in 10⁻⁷ degrees
 * @param longitude in 10⁻⁷ degrees
 * @param millis since the epoch
 */
public record Point(
    long trip, int number, PointKind kind, int latitude, int longitude, long millis) {}
