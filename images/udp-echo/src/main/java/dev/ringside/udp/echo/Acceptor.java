package dev.ringside.udp.echo;

/**
 * Receives and hands over. What finds no room is dropped at once and counted, so that the socket is
 * always served and every variant loses in the same place.
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
