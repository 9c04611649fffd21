package dev.ringside.udp.echo;

import java.util.List;

/**
 * Gives each thread its own socket on one port, and answers on the thread that receives
 * (SO_REUSEPORT). The kernel sends a sender's datagrams always to the same thread, so few senders
 * may leave threads idle.
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
    // its threads only wait for their ports
  }
}
