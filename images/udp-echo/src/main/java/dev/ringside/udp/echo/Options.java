package dev.ringside.udp.echo;

/**
 * What all variants are given alike.
 *
 * @param handlers threads that run requests, where a variant has several; the Disruptor's design
 *     has one
 * @param slots datagrams that may wait between two threads; a power of two
 * @param receiveBuffer bytes that the kernel keeps for each socket; 0 for its default
 */
record Options(int handlers, int slots, int receiveBuffer) {
  /** As published. */
  static final Options PUBLISHED = new Options(3, 1024, 0);
}
