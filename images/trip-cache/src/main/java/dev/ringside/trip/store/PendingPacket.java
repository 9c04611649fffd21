package dev.ringside.trip.store;

import dev.ringside.trip.stream.FinishedTrip;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Points that came together and are on their way into the cache. */
final class PendingPacket {
  private final Sender sender;
  private final int points;
  private final AtomicInteger left;
  // Under this packet's lock; read by all when the last point is there.
  private final List<FinishedTrip> finished = new ArrayList<>();
  private int gaps;
  // Under the sender's lock.
  private boolean acknowledgeable;

  PendingPacket(Sender sender, int points) {
    this.sender = sender;
    this.points = points;
    left = new AtomicInteger(points);
  }

  /**
   * One of its points is in the cache.
   *
   * @return whether that was the last
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
