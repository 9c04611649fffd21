package dev.ringside.trip.store;

/** When packets whose points are in the cache are acknowledged. */
interface Acknowledger extends AutoCloseable {
  /** All points of a packet are in the cache. */
  void complete(PendingPacket packet);

  /** Ends it; what is not acknowledged by then will not be. */
  @Override
  void close();

  /** At once. */
  Acknowledger DIRECT =
      new Acknowledger() {
        @Override
        public void complete(PendingPacket packet) {
          packet.sender().acknowledge(packet);
        }

        @Override
        public void close() {
          // nothing to end
        }
      };
}
