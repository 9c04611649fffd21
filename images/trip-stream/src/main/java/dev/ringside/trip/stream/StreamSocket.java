package dev.ringside.trip.stream;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A connection on which points go one way and acknowledgements the other. Both sides begin by
 * saying what they speak. One thread may write while another reads.
 */
public final class StreamSocket implements Closeable {
  private static final byte[] GREETING = "RSTRIPS1".getBytes(StandardCharsets.US_ASCII);

  /** Of a client that sends its points by way of a topic, and reads acknowledgements here. */
  private static final byte[] FED_GREETING = "RSTRIPF1".getBytes(StandardCharsets.US_ASCII);

  private static final int BUFFER_BYTES = 1 << 16;

  private final Socket socket;
  private final DataInputStream in;
  private final DataOutputStream out;
  private boolean fed;

  private StreamSocket(Socket socket) throws IOException {
    this.socket = socket;
    socket.setTcpNoDelay(true);
    in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES));
    out = new DataOutputStream(socket.getOutputStream());
  }

  /**
   * Connects a client and returns once the server has greeted it.
   *
   * @param timeoutMillis for that, and for each acknowledgement
   */
  public static StreamSocket connect(String host, int port, int timeoutMillis) throws IOException {
    return connect(host, port, timeoutMillis, GREETING);
  }

  /**
   * The same for a client that sends its points by way of the topic that {@link #feed} names: here
   * it reads their acknowledgements, which count its own points in the order in which they are in
   * the cache.
   */
  public static StreamSocket follow(String host, int port, int timeoutMillis) throws IOException {
    return connect(host, port, timeoutMillis, FED_GREETING);
  }

  private static StreamSocket connect(String host, int port, int timeoutMillis, byte[] greeting)
      throws IOException {
    Socket socket = new Socket();
    try {
      socket.connect(new InetSocketAddress(host, port), timeoutMillis);
      socket.setSoTimeout(timeoutMillis);
      StreamSocket stream = new StreamSocket(socket);
      stream.out.write(greeting);
      if (!Arrays.equals(stream.greeting(), GREETING)) {
        throw stranger();
      }
      return stream;
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  /**
   * Takes a client that has connected, and greets it back. Closes the socket if it is none.
   *
   * @param timeoutMillis for its greeting; for what it sends later there is none
   */
  public static StreamSocket accept(Socket socket, int timeoutMillis) throws IOException {
    try {
      StreamSocket stream = new StreamSocket(socket);
      socket.setSoTimeout(timeoutMillis);
      byte[] greeting = stream.greeting();
      stream.fed = Arrays.equals(greeting, FED_GREETING);
      if (!stream.fed && !Arrays.equals(greeting, GREETING)) {
        throw stranger();
      }
      socket.setSoTimeout(0);
      stream.out.write(GREETING);
      return stream;
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  private byte[] greeting() throws IOException {
    byte[] greeting = new byte[GREETING.length];
    in.readFully(greeting);
    return greeting;
  }

  private static StreamFaultException stranger() {
    return new StreamFaultException("the other side does not speak this stream");
  }

  /** Whether the client that was taken sends its points by way of a topic, and asks for it. */
  public boolean isFed() {
    return fed;
  }

  /** Tells such a client where to send them. */
  public void tell(Feed feed) throws IOException {
    feed.write(out);
  }

  /**
   * Where the server takes its points from, once it has been followed.
   *
   * @throws StreamFaultException if it takes none from a topic
   */
  public Feed feed() throws IOException {
    return Feed.read(in);
  }

  /** Sends points. */
  public void send(Packet packet) throws IOException {
    packet.write(out);
  }

  /** The next points; waits for them. */
  public Packet receive() throws IOException {
    return Packet.read(in);
  }

  /** Sends an acknowledgement. A client that does not read makes this wait. */
  public void acknowledge(Acknowledgement acknowledgement) throws IOException {
    acknowledgement.write(out);
  }

  /**
   * The next acknowledgement; waits for it.
   *
   * @throws StreamFaultException if it says that there will be no more
   * @throws java.net.SocketTimeoutException if it does not come in time; the connection is of no
   *     more use then
   */
  public Acknowledgement acknowledgement() throws IOException {
    Acknowledgement next = Acknowledgement.read(in);
    if (!next.fault().isEmpty()) {
      throw new StreamFaultException("the server can do no more: " + next.fault());
    }
    return next;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
