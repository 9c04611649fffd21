package dev.ringside.trip.store;

/** Decides when packets are acknowledged whose points are all in the cache. */
interface Acknowledger extends AutoCloseable {
  /** Accepts a packet whose points are all in the cache. */
  void complete(PendingPacket packet);

  /** Stops. Packets that are not acknowledged yet are never acknowledged. */
  @Override
  void close();

  /** Acknowledges at once. */
  Acknowledger DIRECT =
      new Acknowledger() {
        @Override
        public void complete(PendingPacket packet) {
          packet.sender().acknowledge(packet);
        }

        @Override
        public void close() {
          // there is nothing to stop
        }
      };
}
