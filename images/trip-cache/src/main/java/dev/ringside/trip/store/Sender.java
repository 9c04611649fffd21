package dev.ringside.trip.store;

/** Receives the acknowledgement of the packets that it sent. */
interface Sender {
  /** Accepts a packet whose points are all in the cache and as durable as the server guarantees. */
  void acknowledge(PendingPacket packet);
}
