package dev.ringside.gps;

import dev.ringside.trip.stream.FinishedTrip;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** The trips that must come out of what was sent, held against those that do. For one thread. */
final class Expected {
  private final Map<Long, FinishedTrip> trips = new HashMap<>();
  private String fault = "";

  /** A trip has ended. */
  void add(FinishedTrip trip) {
    trips.put(trip.trip(), trip);
  }

  /** A trip came out. */
  void cameOut(FinishedTrip trip) {
    FinishedTrip right = trips.remove(trip.trip());
    if (right == null) {
      fault = "a trip came out that was not sent, or had come out before: " + trip;
    } else if (!right.equals(trip)) {
      fault = "a trip came out as " + trip + ", and went in as " + right;
    }
  }

  /** So many points found their trip without those before them. */
  void gaps(int points) {
    if (points > 0) {
      fault = "the store has lost what was before " + points + " points of their trips";
    }
  }

  /**
   * All that was sent is acknowledged: nothing may be missing. What is amiss is told once.
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
