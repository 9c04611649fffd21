package dev.ringside.udp.echo;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** Serves one variant on one port. */
final class EchoServer implements AutoCloseable {
  private static final long STOP_MILLIS = 5_000;

  private final EchoType type;
  private final Counts counts = new Counts();
  private final List<Port> ports = new ArrayList<>();
  private final Workers workers;
  private final Variant variant;
  private boolean started;

  /**
   * Binds the port. Nothing is answered before {@link #start}.
   *
   * @throws IOException if the address is not local, or the port is in use
   */
  EchoServer(EchoType type, InetSocketAddress address, Handler handler, Options options)
      throws IOException {
    this.type = type;
    workers = new Workers(type.id());
    int sockets = type.sockets(options);
    try {
      while (ports.size() < sockets) {
        InetSocketAddress at = ports.isEmpty() ? address : ports.get(0).address();
        ports.add(new Port(at, options.receiveBuffer(), sockets > 1, counts));
      }
    } catch (IOException | RuntimeException e) {
      ports.forEach(Port::close);
      throw e;
    }
    variant = type.over(ports, handler, options, counts);
  }

  /** Starts to serve. Call this once. */
  void start() {
    started = true;
    variant.start(workers);
  }

  EchoType type() {
    return type;
  }

  InetSocketAddress address() {
    return ports.get(0).address();
  }

  Counts counts() {
    return counts;
  }

  /** Returns the number of datagrams that the kernel dropped before a thread received them. */
  long kernelDrops() {
    return KernelDrops.of(address().getPort());
  }

  int threads() {
    return workers.count();
  }

  /** Reports whether all threads are running. */
  boolean alive() {
    return workers.allAlive();
  }

  /** Returns the class that the proof names. */
  Class<?> proof() {
    return variant.proof();
  }

  /**
   * Stops the server. No answer leaves after this; datagrams in flight are lost.
   *
   * @throws IllegalStateException if a thread does not end
   */
  @Override
  public void close() {
    ports.forEach(Port::close);
    if (!started) {
      return;
    }
    variant.stop();
    try {
      if (!workers.join(STOP_MILLIS)) {
        throw new IllegalStateException("a thread of " + type.id() + " does not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
