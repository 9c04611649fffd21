package dev.ringside.thrift;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * Is a proxy between one client and a server, which forwards the client's bytes a few at a time.
 */
final class Trickle implements AutoCloseable {
  private final ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  private final Socket server;
  private volatile Socket client;
  private volatile long pauseMillis;

  Trickle(int port, int chunk) throws IOException {
    server = new Socket("127.0.0.1", port);
    server.setTcpNoDelay(true);
    thread(
        () -> {
          client = listener.accept();
          thread(() -> copy(server.getInputStream(), client.getOutputStream(), 4096));
          copyWithPauses(client.getInputStream(), server.getOutputStream(), chunk);
        });
  }

  int port() {
    return listener.getLocalPort();
  }

  private interface Step {
    void run() throws IOException;
  }

  private static void thread(Step step) {
    Thread thread =
        new Thread(
            () -> {
              try {
                step.run();
              } catch (IOException e) {
                // one end has closed its connection, which ends the proxy
              }
            },
            "trickle");
    thread.setDaemon(true);
    thread.start();
  }

  private static void copy(InputStream from, OutputStream to, int chunk) throws IOException {
    byte[] bytes = new byte[chunk];
    for (int count = from.read(bytes); count >= 0; count = from.read(bytes)) {
      to.write(bytes, 0, count);
      to.flush();
    }
  }

  private void copyWithPauses(InputStream from, OutputStream to, int chunk) throws IOException {
    byte[] bytes = new byte[chunk];
    for (int count = from.read(bytes); count >= 0; count = from.read(bytes)) {
      int first = pauseMillis > 0 ? Math.min(count, 5) : count;
      to.write(bytes, 0, first);
      to.flush();
      if (first < count) {
        pause(pauseMillis);
        pauseMillis = 0;
        to.write(bytes, first, count - first);
        to.flush();
      }
    }
  }

  private static void pause(long millis) throws IOException {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new InterruptedIOException();
    }
  }

  /** Pauses once, after the first five bytes of what the client sends next. */
  void pauseWithin(long millis) {
    pauseMillis = millis;
  }

  @Override
  public void close() throws IOException {
    listener.close();
    server.close();
    Socket accepted = client;
    if (accepted != null) {
      accepted.close();
    }
  }
}
