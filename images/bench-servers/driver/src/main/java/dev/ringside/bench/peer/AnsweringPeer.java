package dev.ringside.bench.peer;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.concurrent.TimeUnit;

/**
 * Answers each byte with the same byte after {@link #AFTER_MILLIS}. Uses one blocking thread per
 * connection, so that no connection waits for another.
 */
public final class AnsweringPeer implements Closeable {
  static final long AFTER_MILLIS = 1;

  /** More than the threads of any server. */
  private static final int BACKLOG = 10_000;

  private final ServerSocket server;

  private AnsweringPeer(ServerSocket server) {
    this.server = server;
  }

  /** Starts a peer on a free local port. Its threads are daemons. */
  public static AnsweringPeer start() throws IOException {
    AnsweringPeer peer =
        new AnsweringPeer(new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress()));
    daemon("accept", peer::accept);
    return peer;
  }

  /** Returns the port. */
  public int port() {
    return server.getLocalPort();
  }

  private void accept() throws IOException, InterruptedException {
    while (true) {
      Socket socket = server.accept();
      socket.setTcpNoDelay(true);
      daemon("answer", () -> answer(socket));
    }
  }

  private static void answer(Socket socket) throws IOException, InterruptedException {
    try (socket;
        InputStream in = socket.getInputStream();
        OutputStream out = socket.getOutputStream()) {
      for (int question = in.read(); question >= 0; question = in.read()) {
        TimeUnit.MILLISECONDS.sleep(AFTER_MILLIS);
        out.write(question);
      }
    }
  }

  /** Stops accepting connections. Open ones end when their clients close them. */
  @Override
  public void close() throws IOException {
    server.close();
  }

  private interface Task {
    void run() throws IOException, InterruptedException;
  }

  private static void daemon(String name, Task task) {
    Thread thread =
        new Thread(
            () -> {
              try {
                task.run();
              } catch (SocketException e) {
                // One end was closed: a server's process ends with open connections.
              } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            name);
    thread.setDaemon(true);
    thread.start();
  }
}
