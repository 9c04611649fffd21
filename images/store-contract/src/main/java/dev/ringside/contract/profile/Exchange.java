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
 * One request over a connection and its answer, as far as that needs HTTP/1.1. The JDK's own server
 * does not tell that a client has hung up while its request is worked on. For one thread.
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
   * Reads the request's head; its first line. What follows the head is of no interest.
   *
   * @throws IOException if it does not come in time, or is longer than 8 KiB
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
   * Waits while the client does.
   *
   * @throws IOException as soon as it has hung up
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
        // the time is over, or will be after another look
      }
    }
  }

  /** Answers with a text, which ends the exchange. */
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
