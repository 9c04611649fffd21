package dev.ringside.udp.echo;

/** How a datagram gets from the socket to the handler, and the answer back to the socket. */
interface Variant {
  /** Starts its threads. */
  void start(Workers workers);

  /** Lets go of threads that wait for something else than a port; the ports are closed by then. */
  void stop();

  /**
   * The class of the object that makes it what it is, as a store's proof names it: no two variants
   * have the same.
   */
  default Class<?> proof() {
    return getClass();
  }
}
