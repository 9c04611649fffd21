package dev.ringside.contract;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Accepts the clients of a port on one daemon thread, until it is closed. If an error occurs, only
 * the current client is lost: descriptors, threads or memory may be available again a second later,
 * when it continues.
 */
public final class Acceptor implements AutoCloseable {
  private static final long PAUSE_SECONDS = 1;

  private final ServerSocket listener;
  private final Clients clients;
  private final Consumer<String> warn;
  private final Thread thread;
  private volatile Socket taken;

  /** The code that serves the clients. */
  public interface Clients {
    /**
     * Takes over a client. Other clients wait until this returns.
     *
     * @throws IOException if it cannot serve the client; the connection is then closed
     */
    void take(Socket client) throws IOException;
  }

  /**
   * Creates the acceptor and starts its thread.
   *
   * @param name name of the thread, also used in warnings
   * @param listener bound socket; closed with this object
   * @param warn receives a warning when a client cannot be accepted, at most once per second, on
   *     that thread
   */
  public Acceptor(String name, ServerSocket listener, Clients clients, Consumer<String> warn) {
    this.listener = listener;
    this.clients = clients;
    this.warn = warn;
    thread = new Thread(this::run, name);
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    while (!listener.isClosed()) {
      try {
        taken = listener.accept();
        clients.take(taken);
      } catch (Throwable e) { // an Error too: starting a thread can throw one
        hangUp();
        if (!listener.isClosed()) {
          tell(e);
          LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(PAUSE_SECONDS));
        }
      }
      taken = null;
    }
  }

  private void tell(Throwable fault) {
    try {
      warn.accept(
          String.format(
              "%s: accept a client: %s; the next try is in %d s",
              thread.getName(),
              fault.getMessage() == null ? fault : fault.getMessage(),
              PAUSE_SECONDS));
    } catch (Throwable e) {
      // Not even a warning is possible, for example without memory.
    }
  }

  private void hangUp() {
    Socket client = taken;
    if (client != null) {
      try {
        client.close();
      } catch (IOException e) {
        // The connection is not used again.
      }
    }
  }

  /**
   * Closes the port, and a client that is being accepted. No client can connect after it returns:
   * it waits for the thread, because a thread in accept() keeps the port open.
   *
   * @throws IOException if the port cannot be closed
   */
  @Override
  public void close() throws IOException {
    listener.close();
    hangUp();
    boolean interrupted = false;
    while (thread.isAlive()) {
      LockSupport.unpark(thread);
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
