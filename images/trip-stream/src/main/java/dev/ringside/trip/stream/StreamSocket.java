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
 * Is a connection with points in one direction and acknowledgements in the other. Both sides first
 * send a greeting that names the protocol. One thread may write while another reads.
 */
public final class StreamSocket implements Closeable {
  private static final byte[] GREETING = "RSTRIPS1".getBytes(StandardCharsets.US_ASCII);

  /**
   * Greeting of a client that sends its points through a topic, and reads acknowledgements here.
   */
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
   * Connects a client, and waits for the server's greeting.
   *
   * @param timeoutMillis for the greeting, and for each acknowledgement
   */
  public static StreamSocket connect(String host, int port, int timeoutMillis) throws IOException {
    return connect(host, port, timeoutMillis, GREETING);
  }

  /**
   * Connects a client that sends its points through the topic of {@link #feed}. The
   * acknowledgements count this client's points in the order in which they reach the cache.
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
   * Accepts a connection and exchanges greetings. Closes the socket if the client uses another
   * protocol.
   *
   * @param timeoutMillis for the greeting; later reads have no timeout
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

  /**
   * Reports whether the accepted client sends its points through a topic, and waits for its
   * address.
   */
  public boolean isFed() {
    return fed;
  }

  /** Sends the topic's address to such a client. */
  public void tell(Feed feed) throws IOException {
    feed.write(out);
  }

  /**
   * Reads the topic's address, after {@link #follow}.
   *
   * @throws StreamFaultException if the server reads no topic
   */
  public Feed feed() throws IOException {
    return Feed.read(in);
  }

  /** Sends points. */
  public void send(Packet packet) throws IOException {
    packet.write(out);
  }

  /** Waits for the next points and returns them. */
  public Packet receive() throws IOException {
    return Packet.read(in);
  }

  /** Sends an acknowledgement. Blocks while the client does not read. */
  public void acknowledge(Acknowledgement acknowledgement) throws IOException {
    acknowledgement.write(out);
  }

  /**
   * Waits for the next acknowledgement and returns it.
   *
   * @throws StreamFaultException if the server reports a permanent error
   * @throws java.net.SocketTimeoutException if it does not arrive in time; the connection cannot be
   *     used after that
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
