package dev.ringside.thrift;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.protocol.TProtocolFactory;
import org.apache.thrift.transport.TIOStreamTransport;
import org.apache.thrift.transport.TMemoryInputTransport;

/**
 * Is a client that creates its own frames, so that tests can split the bytes anywhere. Reads time
 * out after 30 s.
 */
final class Client implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 30_000;

  private final Socket socket;
  private final DataInputStream in;
  private final OutputStream out;
  private final TProtocolFactory protocol;
  private int seqid;

  Client(int port) throws IOException {
    this(new Socket(), port, new TBinaryProtocol.Factory());
  }

  Client(Socket socket, int port, TProtocolFactory protocol) throws IOException {
    this.socket = socket;
    this.protocol = protocol;
    if (!socket.isConnected()) {
      socket.connect(new InetSocketAddress("127.0.0.1", port), TIMEOUT_MILLIS);
    }
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    in = new DataInputStream(socket.getInputStream());
    out = socket.getOutputStream();
  }

  Socket socket() {
    return socket;
  }

  /** Returns a request as a frame. */
  static byte[] frame(
      TProtocolFactory protocol, String method, byte type, int seqid, byte[] argument)
      throws TException, IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    TestService.writeRequest(
        protocol.getProtocol(new TIOStreamTransport(bytes)), method, type, seqid, argument);
    return ByteBuffer.allocate(4 + bytes.size())
        .putInt(bytes.size())
        .put(bytes.toByteArray())
        .array();
  }

  /** Returns a call in binary protocol as a frame. */
  static byte[] frame(String method, int seqid, byte[] argument) throws TException, IOException {
    return frame(new TBinaryProtocol.Factory(), method, TMessageType.CALL, seqid, argument);
  }

  byte[] call(String method, byte[] argument) throws TException, IOException {
    int id = send(method, argument);
    return receive(method, id);
  }

  int send(String method, byte[] argument) throws TException, IOException {
    send(frame(protocol, method, TMessageType.CALL, ++seqid, argument));
    return seqid;
  }

  void sendOneway(String method, byte[] argument) throws TException, IOException {
    send(frame(protocol, method, TMessageType.ONEWAY, ++seqid, argument));
  }

  void send(byte[] bytes) throws IOException {
    out.write(bytes);
  }

  byte[] receive(String method, int id) throws TException, IOException {
    return receiveSlowly(method, id, Integer.MAX_VALUE, 0);
  }

  /** Receives a reply in pieces of some bytes, with a pause before each. */
  byte[] receiveSlowly(String method, int id, int piece, long millis)
      throws TException, IOException {
    byte[] frame = new byte[in.readInt()];
    for (int at = 0; at < frame.length; at += Math.min(piece, frame.length - at)) {
      pause(millis);
      in.readFully(frame, at, Math.min(piece, frame.length - at));
    }
    return TestService.readReply(
        protocol.getProtocol(new TMemoryInputTransport(frame)), method, id);
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Reads the remaining replies of any content until the end of the stream. Returns their number.
   */
  int receiveTheRest() throws IOException {
    for (int replies = 0; ; replies++) {
      try {
        in.readFully(new byte[in.readInt()]);
      } catch (EOFException | SocketException e) {
        return replies;
      }
    }
  }

  /** Reads and discards bytes until the server closes the connection. */
  void readToTheEnd() throws IOException {
    byte[] some = new byte[4096];
    while (in.read(some) >= 0) {
      // only the end matters
    }
  }

  /** Waits until the server closes the connection. Returns true if it sent nothing before. */
  boolean isClosedByServer() throws IOException {
    try {
      return in.read() < 0;
    } catch (java.net.SocketTimeoutException e) {
      return false;
    } catch (java.net.SocketException e) {
      return true;
    }
  }

  /** Closes the connection with a reset, like a process that is killed with unread data. */
  void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
