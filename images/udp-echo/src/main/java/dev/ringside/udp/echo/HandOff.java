package dev.ringside.udp.echo;

/** Where a receiving thread leaves a datagram for another. */
interface HandOff {
  /**
   * Takes a copy, without waiting.
   *
   * @return false if there is no room
   */
  boolean offer(Datagram datagram);
}
