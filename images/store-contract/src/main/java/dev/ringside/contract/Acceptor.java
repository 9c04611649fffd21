package dev.ringside.contract;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Takes the clients of a port, on one daemon thread, until it is closed. Whatever fails costs the
 * client whose turn it was: where descriptors, threads or memory are short, they may not be in a
 * second, and it tries again then.
 */
public final class Acceptor implements AutoCloseable {
  private static final long PAUSE_SECONDS = 1;

  private final ServerSocket listener;
  private final Clients clients;
  private final Consumer<String> warn;
  private final Thread thread;
  private volatile Socket taken;

  /** Who serves them. */
  public interface Clients {
    /**
     * Takes a client, which is its own from then on. Others wait until this returns.
     *
     * @throws IOException if it cannot; the connection is closed
     */
    void take(Socket client) throws IOException;
  }

  /**
   * Starts its thread.
   *
   * @param name of the thread, and in what it warns of
   * @param listener bound; closed with this
   * @param warn told when no client can be taken, at most once a second, by that thread
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
      } catch (Throwable e) { // an Error too: a thread that cannot be started is one
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
      // There is not even memory to say so.
    }
  }

  private void hangUp() {
    Socket client = taken;
    if (client != null) {
      try {
        client.close();
      } catch (IOException e) {
        // It is of no more use either way.
      }
    }
  }

  /**
   * Ends it, and a client that is being taken. Nobody can connect once it returns: a thread that
   * waits for clients keeps the port open until it wakes.
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
