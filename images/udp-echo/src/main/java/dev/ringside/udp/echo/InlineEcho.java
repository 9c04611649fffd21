package dev.ringside.udp.echo;

/** Uses one thread for everything: the baseline without the cost of a hand-off. */
final class InlineEcho implements Variant {
  private final Port port;
  private final Handler handler;

  InlineEcho(Port port, Handler handler) {
    this.port = port;
    this.handler = handler;
  }

  @Override
  public void start(Workers workers) {
    workers.start(new Echoing(port, handler));
  }

  @Override
  public void stop() {
    // its thread only waits for the port
  }
}
