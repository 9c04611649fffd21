package dev.ringside.udp.echo;

/**
 * Holds the options that are the same for all variants.
 *
 * @param handlers threads that run requests, for variants with several; the Disruptor's design has
 *     one
 * @param slots datagrams that may wait between two threads; a power of two
 * @param receiveBuffer bytes of each socket's receive buffer; 0 for the kernel's default
 */
record Options(int handlers, int slots, int receiveBuffer) {
  /** The options of the publication. */
  static final Options PUBLISHED = new Options(3, 1024, 0);
}
