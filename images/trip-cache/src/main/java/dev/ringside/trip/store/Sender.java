package dev.ringside.trip.store;

/** Whoever sent points and is to be told when they are in the cache. */
interface Sender {
  /** All points of one of its packets are in the cache, and as safe as the server promises. */
  void acknowledge(PendingPacket packet);
}
