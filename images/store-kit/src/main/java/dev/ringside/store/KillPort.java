package dev.ringside.store;

import com.sun.jna.Native;
import dev.ringside.contract.Acceptor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * The kill port of a store (docs/reference/store-contract-faults.md): a client that sends the line
 * {@code kill} ends this process by SIGKILL at any point of its work, as the kernel does when
 * memory is short. No shutdown hook runs, and nothing is closed or written. Data that was written
 * before is in the kernel and is kept. One daemon thread waits for clients. The port is open only
 * if a value of the chart says so.
 */
public final class KillPort implements AutoCloseable {
  private static final byte[] ORDER = "kill\n".getBytes(StandardCharsets.US_ASCII);
  private static final int PATIENCE_MILLIS = 5_000;
  private static final int BACKLOG = 8;

  private final int port;
  private final Acceptor acceptor;
  private final Runnable end;
  private final Consumer<String> warn;

  /**
   * Binds the port and starts to wait.
   *
   * @param end ends the process; called on this port's thread
   * @param warn receives a warning about clients that connect without sending the line
   * @throws IllegalArgumentException with a message of one line if the port cannot be bound
   */
  KillPort(InetSocketAddress address, Runnable end, Consumer<String> warn) {
    this.end = end;
    this.warn = warn;
    ServerSocket socket;
    try {
      socket = new ServerSocket(address.getPort(), BACKLOG, address.getAddress());
    } catch (IOException e) {
      throw new IllegalArgumentException(
          String.format(
              "cannot listen on %s:%d/tcp to be killed: is the port in use? (%s)",
              address.getAddress().getHostAddress(), address.getPort(), e.getMessage()),
          e);
    }
    port = socket.getLocalPort();
    acceptor = new Acceptor("kill", socket, this::serve, warn);
  }

  /**
   * Opens the port of a store's settings, where 0 means none. Returns the action that closes it.
   *
   * @throws IllegalArgumentException with a message of one line if the port cannot be bound, or if
   *     this process cannot kill itself
   */
  static Runnable open(InetSocketAddress address, Consumer<String> warn) {
    if (address.getPort() == 0) {
      return () -> {};
    }
    long pid = ProcessHandle.current().pid();
    if (pid == 1) {
      // The kernel ignores signals that the first process of a namespace sends to itself.
      throw new IllegalArgumentException(
          "RINGSIDE_KILL_PORT is set, and this is process 1 of its namespace, which nothing within"
              + " can kill: share the pod's (shareProcessNamespace), or set no such port");
    }
    // Signal 0 has no effect. The call loads the library now, because loading it during the kill
    // would count as the store's time.
    Libc.kill((int) pid, 0);
    return new KillPort(address, () -> Libc.kill((int) pid, Libc.SIGKILL), warn)::close;
  }

  /**
   * Calls the C library: Java has no way to end the process without shutdown hooks and exit
   * handlers.
   */
  private static final class Libc {
    static final int SIGKILL = 9;

    static {
      Native.register("c");
    }

    static native int kill(int pid, int signal);
  }

  /** Returns the port. */
  int port() {
    return port;
  }

  private void serve(Socket from) {
    try (Socket client = from) {
      client.setSoTimeout(PATIENCE_MILLIS);
      if (Arrays.equals(client.getInputStream().readNBytes(ORDER.length), ORDER)) {
        end.run();
      } else {
        warn.accept("somebody connected to the kill port, and did not say 'kill'");
      }
    } catch (SocketTimeoutException e) {
      warn.accept("somebody connected to the kill port, and said nothing");
    } catch (IOException e) {
      // the client is gone, or this port is closed
    }
  }

  @Override
  public void close() {
    try {
      acceptor.close();
    } catch (IOException e) {
      // nothing depends on it
    }
  }
}
