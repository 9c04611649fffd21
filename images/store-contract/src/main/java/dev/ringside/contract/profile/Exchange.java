package dev.ringside.contract.profile;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * One request and its answer over a connection: the part of HTTP/1.1 that profiles need. The JDK's
 * own server does not report that a client closed the connection during a request. For one thread.
 */
final class Exchange {
  private static final int MAX_HEAD_BYTES = 8 << 10;
  private static final int HEAD_MILLIS = 5_000;
  private static final int OK = 200;

  private final Socket socket;
  private final InputStream in;

  Exchange(Socket socket) throws IOException {
    this.socket = socket;
    this.in = socket.getInputStream();
  }

  /**
   * Reads the head of the request and returns its first line. What follows the head is ignored.
   *
   * @throws IOException if the head does not arrive in time, or is longer than 8 KiB
   */
  String requestLine() throws IOException {
    socket.setSoTimeout(HEAD_MILLIS);
    byte[] bytes = new byte[MAX_HEAD_BYTES];
    int length = 0;
    String head = "";
    while (!head.contains("\r\n\r\n") && !head.contains("\n\n")) {
      int read = length == bytes.length ? -1 : in.read(bytes, length, bytes.length - length);
      if (read < 0) {
        throw new EOFException("the request's head has no end");
      }
      length += read;
      head = new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
    }
    return head.substring(0, head.indexOf('\n')).trim();
  }

  /**
   * Waits for that time.
   *
   * @throws IOException as soon as the client closes the connection
   */
  void pause(int seconds) throws IOException {
    byte[] ignored = new byte[MAX_HEAD_BYTES];
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      socket.setSoTimeout((int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
      try {
        if (in.read(ignored) < 0) {
          throw new EOFException("the client has hung up");
        }
      } catch (SocketTimeoutException e) {
        // The loop checks whether the time is over.
      }
    }
  }

  /** Sends a text as the answer, which ends the exchange. */
  void answer(int status, Map<String, String> headers, byte[] text) throws IOException {
    StringBuilder head = new StringBuilder("HTTP/1.1 ").append(status);
    head.append(status == OK ? " OK" : " Refused").append("\r\nConnection: close");
    head.append("\r\nContent-Type: text/plain; charset=utf-8");
    head.append("\r\nContent-Length: ").append(text.length);
    headers.forEach((name, value) -> head.append("\r\n" + name + ": " + value));
    OutputStream out = socket.getOutputStream();
    out.write(head.append("\r\n\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
    out.write(text);
    out.flush();
  }
}
