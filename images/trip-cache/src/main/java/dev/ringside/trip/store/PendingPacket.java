package dev.ringside.trip.store;

import dev.ringside.trip.stream.FinishedTrip;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the points of a packet that are not in the cache yet. */
final class PendingPacket {
  private final Sender sender;
  private final int points;
  private final AtomicInteger left;
  // Guarded by this packet's lock; read after the last point is stored.
  private final List<FinishedTrip> finished = new ArrayList<>();
  private int gaps;
  // Guarded by the sender's lock.
  private boolean acknowledgeable;

  PendingPacket(Sender sender, int points) {
    this.sender = sender;
    this.points = points;
    left = new AtomicInteger(points);
  }

  /**
   * Counts a point that is in the cache.
   *
   * @return whether it was the packet's last point
   */
  boolean took(TripBuilder.Taken taken) {
    if (taken.gap() || taken.finished() != null) {
      synchronized (this) {
        if (taken.gap()) {
          gaps++;
        } else {
          finished.add(taken.finished());
        }
      }
    }
    return left.decrementAndGet() == 0;
  }

  Sender sender() {
    return sender;
  }

  int points() {
    return points;
  }

  synchronized List<FinishedTrip> finished() {
    return finished;
  }

  synchronized int gaps() {
    return gaps;
  }

  void mayBeAcknowledged() {
    acknowledgeable = true;
  }

  boolean isAcknowledgeable() {
    return acknowledgeable;
  }
}
