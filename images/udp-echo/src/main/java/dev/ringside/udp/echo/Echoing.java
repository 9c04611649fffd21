package dev.ringside.udp.echo;

/** Receives, handles and answers on one thread, without a hand-off. */
final class Echoing implements Runnable {
  private final Port port;
  private final Handler handler;

  Echoing(Port port, Handler handler) {
    this.port = port;
    this.handler = handler;
  }

  @Override
  public void run() {
    Datagram datagram = new Datagram();
    while (port.receive(datagram)) {
      handler.handle(datagram.text());
      port.send(datagram);
    }
  }
}
