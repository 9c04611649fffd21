package dev.ringside.udp.echo;

/**
 * Receives datagrams and hands them over. Drops and counts a datagram at once if there is no room,
 * so that the socket is always read and all variants lose datagrams at the same point.
 */
final class Acceptor implements Runnable {
  private final Port port;
  private final HandOff handOff;
  private final Counts counts;

  Acceptor(Port port, HandOff handOff, Counts counts) {
    this.port = port;
    this.handOff = handOff;
    this.counts = counts;
  }

  @Override
  public void run() {
    Datagram datagram = new Datagram();
    while (port.receive(datagram)) {
      if (!handOff.offer(datagram)) {
        counts.dropped();
      }
    }
  }
}
