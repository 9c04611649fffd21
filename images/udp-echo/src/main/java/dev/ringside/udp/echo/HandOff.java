package dev.ringside.udp.echo;

/** Accepts datagrams from a receiving thread for another thread. */
interface HandOff {
  /**
   * Copies a datagram without waiting.
   *
   * @return false if there is no room
   */
  boolean offer(Datagram datagram);
}
