package dev.ringside.gps;

import dev.ringside.load.Endpoint;
import dev.ringside.trip.stream.Acknowledgement;
import dev.ringside.trip.stream.Packet;
import dev.ringside.trip.stream.Point;
import dev.ringside.trip.stream.StreamSocket;
import java.io.IOException;
import java.util.List;

/** Sends points and receives acknowledgements on one connection. */
final class SocketRoute implements Route {
  private final StreamSocket socket;

  private SocketRoute(StreamSocket socket) {
    this.socket = socket;
  }

  static SocketRoute open(Endpoint server, int timeoutMillis) throws IOException {
    return new SocketRoute(StreamSocket.connect(server.host(), server.port(), timeoutMillis));
  }

  @Override
  public void send(List<Point> points, long dueNanos) throws IOException {
    socket.send(new Packet(points));
  }

  @Override
  public Acknowledgement acknowledgement() throws IOException {
    return socket.acknowledgement();
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // nothing depends on the result
    }
  }
}
