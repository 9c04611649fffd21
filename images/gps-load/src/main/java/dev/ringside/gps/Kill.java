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
 * Kills the store's processes once, some time after the first operation begins. Safe for any number
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

  /** Records that an operation begins. The first one starts the timer. */
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

  /** Waits until the connection ends, because the process was killed. */
  private static void awaitEnd(Socket socket) throws IOException {
    try {
      if (socket.getInputStream().read() >= 0) {
        throw new IOException("it answers");
      }
    } catch (SocketTimeoutException e) {
      throw new IOException("it lives on", e);
    } catch (SocketException e) {
      // a reset also shows that the process was killed
    }
  }

  /** Reports whether the order to kill was sent. From then on connections may end. */
  boolean ordered() {
    return ordered;
  }

  /** Returns when the order was sent, as System.nanoTime(). Valid only after that. */
  long orderedNanos() {
    return orderedNanos;
  }

  /**
   * Verifies that the store was killed.
   *
   * @throws LoadFailedException with one line that gives the reason if it was not
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
