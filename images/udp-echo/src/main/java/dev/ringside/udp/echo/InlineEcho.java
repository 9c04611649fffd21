package dev.ringside.udp.echo;

/** One thread does all: the floor, below which no hand-off can go. */
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
    // its thread waits for nothing but the port
  }
}
