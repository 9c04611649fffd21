package dev.ringside.udp.echo;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/** Sends one request to a server as a client does, for the probes and for a chart's test. */
final class Echo {
  private Echo() {}

  /**
   * Sends a text and waits for its capitals, which must come from the port that it was sent to.
   *
   * @throws IOException if they do not arrive in time, or the answer differs
   */
  static void check(InetSocketAddress server, int timeoutMillis) throws IOException {
    String text = "are you there, " + System.nanoTime() + "?";
    byte[] asked = text.getBytes(StandardCharsets.US_ASCII);
    byte[] wanted = text.toUpperCase(Locale.ROOT).getBytes(StandardCharsets.US_ASCII);
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.connect(server);
      socket.setSoTimeout(timeoutMillis);
      socket.send(new DatagramPacket(asked, asked.length));
      DatagramPacket reply = new DatagramPacket(new byte[Datagram.MAX_BYTES], Datagram.MAX_BYTES);
      socket.receive(reply);
      if (!Arrays.equals(wanted, Arrays.copyOf(reply.getData(), reply.getLength()))) {
        throw new IOException(server + " answered something else");
      }
    }
  }
}
