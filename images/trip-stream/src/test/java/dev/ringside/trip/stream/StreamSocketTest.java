package dev.ringside.trip.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StreamSocketTest {
  private static final int TIMEOUT_MILLIS = 20_000;
  private static final List<Point> POINTS =
      List.of(
          new Point(Long.MIN_VALUE, 0, PointKind.BEGIN, Integer.MIN_VALUE, -1, 0),
          new Point(-1, 1, PointKind.GO_ON, 525_200_000, 134_050_000, 1_700_000_000_123L),
          new Point(7, Integer.MAX_VALUE, PointKind.END, 0, Integer.MAX_VALUE, -1));
  private ServerSocket listener;

  @BeforeEach
  void listen() throws IOException {
    listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void stop() throws IOException {
    listener.close();
  }

  @Test
  void shouldCarryPointsOneWayAndAcknowledgementsTheOther() throws Exception {
    Future<StreamSocket> accepted = accept();
    try (StreamSocket client = connect();
        StreamSocket server = accepted.get()) {
      client.send(new Packet(POINTS));
      client.send(new Packet(List.of()));
      assertEquals(POINTS, server.receive().points());
      assertEquals(List.of(), server.receive().points());
      Acknowledgement sent =
          new Acknowledgement(3, 2, List.of(new FinishedTrip(1, 2, 3, 4, Long.MIN_VALUE)), "");
      server.acknowledge(sent);
      server.acknowledge(new Acknowledgement(Long.MAX_VALUE, 0, List.of(), ""));
      assertEquals(sent, client.acknowledgement());
      assertEquals(Long.MAX_VALUE, client.acknowledgement().points());
    }
  }

  @Test
  void shouldTellAClientThatFollowsWhereToSend() throws Exception {
    Feed feed = new Feed("10.0.0.1:9092,10.0.0.2:9092", "heap", -7, "");
    Future<StreamSocket> accepted = accept();
    try (StreamSocket client = follow();
        StreamSocket server = accepted.get()) {
      assertTrue(server.isFed());
      server.tell(feed);
      server.acknowledge(new Acknowledgement(5, 0, List.of(), ""));
      assertEquals(feed, client.feed());
      assertEquals(5, client.acknowledgement().points());
    }
  }

  @Test
  void shouldSayToAClientThatFollowsWhyThereIsNoTopic() throws Exception {
    Future<StreamSocket> accepted = accept();
    try (StreamSocket client = follow();
        StreamSocket server = accepted.get()) {
      server.tell(Feed.none("no Kafka was named to it"));
      StreamFaultException fault = assertThrows(StreamFaultException.class, client::feed);
      assertEquals(
          "the server takes no points from a topic: no Kafka was named to it", fault.getMessage());
    }
  }

  @Test
  void shouldSayWhyTheServerCanDoNoMore() throws Exception {
    Future<StreamSocket> accepted = accept();
    try (StreamSocket client = connect();
        StreamSocket server = accepted.get()) {
      server.acknowledge(new Acknowledgement(0, 0, List.of(), "no space left".repeat(1_000)));
      StreamFaultException fault =
          assertThrows(StreamFaultException.class, client::acknowledgement);
      assertTrue(fault.getMessage().startsWith("the server can do no more: no space left"));
    }
  }

  @Test
  void shouldRefuseWhoSpeaksAnotherLanguage() throws Exception {
    Future<StreamSocket> accepted = accept();
    try (Socket browser = new Socket(listener.getInetAddress(), listener.getLocalPort())) {
      browser.getOutputStream().write("GET / HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII));
      Exception fault = assertThrows(Exception.class, accepted::get);
      assertTrue(fault.getCause() instanceof StreamFaultException, fault::toString);
      assertEquals(-1, browser.getInputStream().read(), "and is hung up on");
    }
  }

  @Test
  void shouldRefuseAPacketThatIsTooLongAndAPointOfNoKind() throws Exception {
    for (byte[] bytes :
        List.of(
            ByteBuffer.allocate(4).putInt(Packet.MAX_POINTS + 1).array(),
            ByteBuffer.allocate(4).putInt(-1).array(),
            ByteBuffer.allocate(4 + 29).putInt(1).put(4 + 12, (byte) 4).array())) {
      Future<StreamSocket> accepted = accept();
      try (Socket client = greeted();
          StreamSocket server = accepted.get()) {
        client.getOutputStream().write(bytes);
        assertThrows(StreamFaultException.class, server::receive);
      }
    }
  }

  @Test
  void shouldTellTheEndOfAStreamFromAPacket() throws Exception {
    Future<StreamSocket> accepted = accept();
    try (Socket client = greeted();
        StreamSocket server = accepted.get()) {
      client.getOutputStream().write(new byte[] {0, 0, 0, 1, 5});
      client.shutdownOutput();
      assertThrows(EOFException.class, server::receive);
    }
  }

  @Test
  void shouldWaitForAnAcknowledgementNoLongerThanItIsTold() throws Exception {
    Future<StreamSocket> accepted = accept();
    try (StreamSocket client =
            StreamSocket.connect(
                listener.getInetAddress().getHostAddress(), listener.getLocalPort(), 3_000);
        StreamSocket server = accepted.get()) {
      assertThrows(SocketTimeoutException.class, client::acknowledgement);
    }
  }

  private Socket greeted() throws IOException {
    Socket socket = new Socket(listener.getInetAddress(), listener.getLocalPort());
    socket.getOutputStream().write("RSTRIPS1".getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private StreamSocket connect() throws IOException {
    return StreamSocket.connect(
        listener.getInetAddress().getHostAddress(), listener.getLocalPort(), TIMEOUT_MILLIS);
  }

  private StreamSocket follow() throws IOException {
    return StreamSocket.follow(
        listener.getInetAddress().getHostAddress(), listener.getLocalPort(), TIMEOUT_MILLIS);
  }

  private Future<StreamSocket> accept() {
    CompletableFuture<StreamSocket> accepted = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                accepted.complete(StreamSocket.accept(listener.accept(), TIMEOUT_MILLIS));
              } catch (IOException e) {
                accepted.completeExceptionally(e);
              }
            },
            "accept");
    thread.setDaemon(true);
    thread.start();
    return accepted;
  }
}
