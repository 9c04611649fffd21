package dev.ringside.gps;

import dev.ringside.trip.stream.Acknowledgement;
import dev.ringside.trip.stream.FinishedTrip;
import dev.ringside.trip.stream.Point;
import dev.ringside.trip.stream.PointKind;
import dev.ringside.trip.stream.StreamSocket;
import dev.ringside.trip.stream.TripSum;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Is a store whose acknowledgements a test can falsify. */
final class FaultyStore implements AutoCloseable {
  private final ServerSocket listener;
  private final UnaryOperator<Acknowledgement> answers;

  /**
   * Starts to serve one client after another.
   *
   * @param answers maps the right answer to the one to send; null closes the connection
   */
  FaultyStore(UnaryOperator<Acknowledgement> answers) throws IOException {
    this.answers = answers;
    listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    Thread thread = new Thread(this::serve, "faulty-store");
    thread.setDaemon(true);
    thread.start();
  }

  String endpoint() {
    return listener.getInetAddress().getHostAddress() + ":" + listener.getLocalPort();
  }

  private void serve() {
    while (!listener.isClosed()) {
      try (StreamSocket client = StreamSocket.accept(listener.accept(), 20_000)) {
        answer(client);
      } catch (IOException e) {
        // the client has disconnected, or the test is over
      }
    }
  }

  private void answer(StreamSocket client) throws IOException {
    Map<Long, TripSum> sums = new HashMap<>();
    long points = 0;
    while (true) {
      List<FinishedTrip> finished = new ArrayList<>();
      for (Point point : client.receive().points()) {
        TripSum sum = sums.computeIfAbsent(point.trip(), TripSum::new);
        sum.add(point.latitude(), point.longitude(), point.millis());
        if (point.kind() == PointKind.END) {
          finished.add(sum.finish());
        }
        points++;
      }
      Acknowledgement answer = answers.apply(new Acknowledgement(points, 0, finished, ""));
      if (answer == null) {
        return;
      }
      client.acknowledge(answer);
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
