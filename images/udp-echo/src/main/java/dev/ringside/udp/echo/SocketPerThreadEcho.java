package dev.ringside.udp.echo;

import java.util.List;

/**
 * Each thread has a socket of its own on the one port, and does all for the datagrams that the
 * kernel gives it (SO_REUSEPORT): a sender always comes to the same thread, so few senders may
 * leave threads idle.
 */
final class SocketPerThreadEcho implements Variant {
  private final List<Port> ports;
  private final Handler handler;

  SocketPerThreadEcho(List<Port> ports, Handler handler) {
    this.ports = ports;
    this.handler = handler;
  }

  @Override
  public void start(Workers workers) {
    ports.forEach(port -> workers.start(new Echoing(port, handler)));
  }

  @Override
  public void stop() {
    // its threads wait for nothing but their ports
  }
}
