package dev.ringside.gps;

import dev.ringside.trip.stream.FinishedTrip;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** Compares the trips that the store returns with those that were sent. For one thread. */
final class Expected {
  private final Map<Long, FinishedTrip> trips = new HashMap<>();
  private String fault = "";

  /** Adds a trip whose last point is sent. */
  void add(FinishedTrip trip) {
    trips.put(trip.trip(), trip);
  }

  /** Compares a trip that the store returned. */
  void cameOut(FinishedTrip trip) {
    FinishedTrip right = trips.remove(trip.trip());
    if (right == null) {
      fault = "a trip came out that was not sent, or had come out before: " + trip;
    } else if (!right.equals(trip)) {
      fault = "a trip came out as " + trip + ", and went in as " + right;
    }
  }

  /** Records points whose trips lacked the points before them. */
  void gaps(int points) {
    if (points > 0) {
      fault = "the store has lost what was before " + points + " points of their trips";
    }
  }

  /**
   * Verifies that nothing is missing when all points are acknowledged. Reports an error only once.
   *
   * @throws IOException with one line
   */
  void check() throws IOException {
    String found = fault;
    if (found.isEmpty() && !trips.isEmpty()) {
      found = trips.size() + " trips ended and did not come out";
    }
    trips.clear();
    fault = "";
    if (!found.isEmpty()) {
      throw new IOException(found);
    }
  }
}
