package dev.ringside.udp.echo;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** Is a client on a connected socket, which receives only datagrams from the server's port. */
final class Asker implements AutoCloseable {
  static final int PATIENCE_MILLIS = 10_000;

  private final DatagramSocket socket = new DatagramSocket();

  Asker(InetSocketAddress server) throws IOException {
    socket.connect(server);
    socket.setSoTimeout(PATIENCE_MILLIS);
  }

  String ask(String text) throws IOException {
    send(text);
    return hear();
  }

  void send(String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    socket.send(new DatagramPacket(bytes, bytes.length));
  }

  String hear() throws IOException {
    DatagramPacket reply = new DatagramPacket(new byte[4096], 4096);
    socket.receive(reply);
    return new String(reply.getData(), 0, reply.getLength(), StandardCharsets.US_ASCII);
  }

  @Override
  public void close() {
    socket.close();
  }
}
