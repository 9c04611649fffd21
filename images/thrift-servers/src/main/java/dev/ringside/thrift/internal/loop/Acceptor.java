package dev.ringside.thrift.internal.loop;

import dev.ringside.thrift.internal.metrics.Failure;
import dev.ringside.thrift.internal.metrics.Failures;
import dev.ringside.thrift.internal.wire.Libthrift;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.NetworkChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.thrift.transport.TNonblockingServerTransport;
import org.apache.thrift.transport.TNonblockingTransport;
import org.apache.thrift.transport.TTransportException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Accepts connections and gives each to the event loop in use that has the fewest. */
public final class Acceptor implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Failures.LOGGER);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** The largest number of connections that wait to be accepted when a drain begins. */
  private static final int MOST_CONNECTED = 4096;

  private final ServerRun run;
  private final Drain drain;
  private final Admission admission;
  private final EventLoops loops;
  private final TNonblockingServerTransport transport;
  private final Selector selector;
  private final ReadyKeys ready = new ReadyKeys();

  public Acceptor(
      ServerRun run,
      Drain drain,
      Admission admission,
      EventLoops loops,
      TNonblockingServerTransport transport)
      throws IOException {
    this.run = run;
    this.drain = drain;
    this.admission = admission;
    this.loops = loops;
    this.transport = transport;
    this.selector = Selector.open();
    transport.registerSelector(selector);
  }

  /** Returns the address on which it listens; null if the transport does not show it. */
  public @Nullable SocketAddress localAddress() throws IOException {
    for (SelectionKey key : selector.keys()) {
      if (key.channel() instanceof NetworkChannel) {
        return ((NetworkChannel) key.channel()).getLocalAddress();
      }
    }
    return null;
  }

  public void wakeUp() {
    selector.wakeup();
  }

  @Override
  public void run() {
    try {
      // A drain that begins after this check knows this acceptor and waits for its end.
      boolean late = drain.hasBegun();
      while (!run.isStopping() && !drain.hasBegun()) {
        acceptNext();
      }
      if (!late) {
        acceptConnected();
      }
    } catch (Throwable e) {
      // Whatever it is, the server must not seem to serve.
      run.fail(Failure.ACCEPTING, e);
    } finally {
      try {
        transport.close();
        close();
      } finally {
        admission.close();
      }
    }
  }

  private void acceptNext() throws IOException {
    try {
      ready.select(selector, -1);
      if (ready.size() > 0 && !run.isStopping()) {
        accept();
      }
    } catch (Error e) {
      run.report(Failure.ACCEPTOR, e);
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /**
   * Accepts what waits, before a drain closes the listening socket: clients that the kernel has
   * connected would lose what they sent.
   */
  private void acceptConnected() throws IOException {
    for (int i = 0; i < MOST_CONNECTED && !run.isStopping(); i++) {
      ready.select(selector, 0);
      if (ready.size() == 0) {
        return;
      }
      accept();
    }
  }

  /** Accepts one connection; libthrift's accept throws where a second one is not there. */
  private void accept() {
    TNonblockingTransport accepted;
    try {
      accepted = Libthrift.accept(transport);
    } catch (TTransportException | RuntimeException e) {
      // The client is gone again, or the process is out of file descriptors.
      run.metrics.acceptFailures.add(Failure.ACCEPT, transport, "", e);
      LockSupport.parkNanos(PAUSE_NANOS);
      return;
    }
    if (accepted == null) {
      return;
    }
    boolean admitted = false;
    boolean given = false;
    try {
      admitted = admission.begins();
      if (admitted) {
        loops.leastLoaded().accept(accepted);
        given = true;
      }
    } finally {
      if (!given) {
        accepted.close();
      }
      if (admitted && !given) {
        admission.ended();
      }
    }
  }

  /** Releases its selector. Once it runs, only its own thread may call this. */
  public void close() {
    try {
      selector.close();
    } catch (IOException e) {
      LOG.debug("closing the acceptor's selector failed", e);
    }
  }
}
