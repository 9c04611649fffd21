package dev.ringside.trip.stream;

/**
 * Holds a position and a time of a trip.
 *
 * @param trip unique number of the trip
 * @param number of the point in its trip, from 0 without gaps
 * @param latitude in 10⁻⁷ degrees
 * @param longitude in 10⁻⁷ degrees
 * @param millis since the epoch
 */
public record Point(
    long trip, int number, PointKind kind, int latitude, int longitude, long millis) {}
