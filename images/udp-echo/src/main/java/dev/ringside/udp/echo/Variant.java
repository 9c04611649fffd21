package dev.ringside.udp.echo;

/** Moves datagrams from the socket to the handler, and answers back to the socket. */
interface Variant {
  /** Starts the threads. */
  void start(Workers workers);

  /** Ends threads that wait for something other than a port. The ports are already closed. */
  void stop();

  /** Returns the class that the proof names. It is different for each variant. */
  default Class<?> proof() {
    return getClass();
  }
}
