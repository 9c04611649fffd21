package dev.ringside.gps;

import dev.ringside.load.Endpoint;
import dev.ringside.load.LoadFailedException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Has the store's processes killed once, some time after the first operation began. For any number
 * of threads.
 */
final class Kill {
  private static final byte[] ORDER = "kill\n".getBytes(StandardCharsets.US_ASCII);
  private static final int PATIENCE_MILLIS = 10_000;

  private final RecoveryOrders orders;
  private final AtomicBoolean begun = new AtomicBoolean();
  private volatile boolean ordered;
  private volatile long orderedNanos;
  private volatile String fault = "";

  Kill(RecoveryOrders orders) {
    this.orders = orders;
  }

  /** An operation begins; the first makes the time count. */
  void begin() {
    if (!begun.get() && begun.compareAndSet(false, true)) {
      Thread thread = new Thread(this::run, "kill");
      thread.setDaemon(true);
      thread.start();
    }
  }

  private void run() {
    try {
      TimeUnit.MILLISECONDS.sleep(orders.killMillis());
      for (Endpoint pod : orders.killPorts()) {
        order(pod);
      }
    } catch (InterruptedException e) {
      fault = "the load was interrupted";
    }
  }

  private void order(Endpoint pod) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(pod.host(), pod.port()), PATIENCE_MILLIS);
      socket.setSoTimeout(PATIENCE_MILLIS);
      OutputStream out = socket.getOutputStream();
      if (!ordered) {
        orderedNanos = System.nanoTime();
        ordered = true;
      }
      out.write(ORDER);
      awaitEnd(socket);
    } catch (IOException e) {
      fault = "the store at " + pod + " cannot be killed: " + e;
    }
  }

  /** A process that was killed hangs up, in one way or the other. */
  private static void awaitEnd(Socket socket) throws IOException {
    try {
      if (socket.getInputStream().read() >= 0) {
        throw new IOException("it answers");
      }
    } catch (SocketTimeoutException e) {
      throw new IOException("it lives on", e);
    } catch (SocketException e) {
      // reset: that is what was asked for
    }
  }

  /** Whether the store was told to die: from then on its connections may end. */
  boolean ordered() {
    return ordered;
  }

  /** When it was told so, as System.nanoTime(); only then. */
  long orderedNanos() {
    return orderedNanos;
  }

  /**
   * Fails where the store was not killed.
   *
   * @throws LoadFailedException with one line that says why
   */
  void check() throws LoadFailedException {
    if (!fault.isEmpty()) {
      throw new LoadFailedException(fault);
    }
    if (!ordered) {
      throw new LoadFailedException("the load ended before the store was killed");
    }
  }
}
