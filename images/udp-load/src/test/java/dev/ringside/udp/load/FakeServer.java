package dev.ringside.udp.load;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;

/** Is a server whose answers a test defines: none, the right one, another, or several. */
final class FakeServer implements AutoCloseable {
  private final DatagramSocket socket;
  private final Thread thread;

  /**
   * Starts to serve.
   *
   * @param answers maps the number of earlier datagrams and the request in capitals to the answers
   */
  FakeServer(BiFunction<Integer, String, List<String>> answers) throws IOException {
    socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
    thread = new Thread(() -> serve(answers), "fake-server");
    thread.setDaemon(true);
    thread.start();
  }

  String endpoint() {
    return InetAddress.getLoopbackAddress().getHostAddress() + ":" + socket.getLocalPort();
  }

  private void serve(BiFunction<Integer, String, List<String>> answers) {
    try {
      for (int number = 0; ; number++) {
        DatagramPacket packet = new DatagramPacket(new byte[2048], 2048);
        socket.receive(packet);
        String text =
            new String(packet.getData(), 0, packet.getLength(), StandardCharsets.US_ASCII)
                .toUpperCase(Locale.ROOT);
        for (String answer : answers.apply(number, text)) {
          byte[] bytes = answer.getBytes(StandardCharsets.US_ASCII);
          socket.send(new DatagramPacket(bytes, bytes.length, packet.getSocketAddress()));
        }
      }
    } catch (SocketException e) {
      // closed
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    socket.close();
  }
}
