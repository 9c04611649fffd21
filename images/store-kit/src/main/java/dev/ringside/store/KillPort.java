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
 * The kill port of a store (charts/README.md): who sends the line {@code kill} ends this process by
 * SIGKILL, wherever it is, as the kernel does when memory is short. No hook runs, nothing is
 * closed, nothing more is written; what was written is the kernel's and stays. One daemon thread,
 * which sleeps until somebody connects. Open only where a chart's value says so.
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
   * Bound, and waiting.
   *
   * @param end ends the process, on this port's thread
   * @param warn told of those who connected and ordered nothing
   * @throws IllegalArgumentException with one line if the port cannot be bound
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
   * The port of a store's settings, where 0 stands for none; what is returned closes it.
   *
   * @throws IllegalArgumentException with one line if the port cannot be bound, or this process
   *     cannot be killed from within
   */
  static Runnable open(InetSocketAddress address, Consumer<String> warn) {
    if (address.getPort() == 0) {
      return () -> {};
    }
    long pid = ProcessHandle.current().pid();
    if (pid == 1) {
      // The kernel keeps the first process of a namespace from signals of its own.
      throw new IllegalArgumentException(
          "RINGSIDE_KILL_PORT is set, and this is process 1 of its namespace, which nothing within"
              + " can kill: share the pod's (shareProcessNamespace), or set no such port");
    }
    // Loads what is needed now, and not when every millisecond counts as the store's; 0 is no
    // signal.
    Libc.kill((int) pid, 0);
    return new KillPort(address, () -> Libc.kill((int) pid, Libc.SIGKILL), warn)::close;
  }

  /** By the C library: there is no way to it in Java that runs no hooks and no exit handlers. */
  private static final class Libc {
    static final int SIGKILL = 9;

    static {
      Native.register("c");
    }

    static native int kill(int pid, int signal);
  }

  /** Where it listens. */
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
      // the client has gone, or this port is closed
    }
  }

  @Override
  public void close() {
    try {
      acceptor.close();
    } catch (IOException e) {
      // nothing was promised to anybody
    }
  }
}
