package dev.ringside.trip.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.trip.stream.Acknowledgement;
import dev.ringside.trip.stream.FinishedTrip;
import dev.ringside.trip.stream.StreamFaultException;
import dev.ringside.trip.stream.StreamSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class OutboxTest {
  private static final int TIMEOUT_MILLIS = 20_000;
  private static final List<FinishedTrip> THOUSAND =
      Collections.nCopies(1_000, new FinishedTrip(1, 2, 3, 4, 5));
  private final BlockingQueue<Integer> told = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> said = new LinkedBlockingQueue<>();
  private StreamSocket client;
  private Outbox outbox;

  @BeforeEach
  void connect() throws Exception {
    InetAddress local = InetAddress.getLoopbackAddress();
    try (ServerSocket listener = new ServerSocket(0, 1, local)) {
      FutureTask<StreamSocket> accepted =
          new FutureTask<>(() -> StreamSocket.accept(listener.accept(), TIMEOUT_MILLIS));
      new Thread(accepted).start();
      client =
          StreamSocket.connect(local.getHostAddress(), listener.getLocalPort(), TIMEOUT_MILLIS);
      outbox = new Outbox(accepted.get(), told::add, said::add);
    }
  }

  @AfterEach
  void close() throws IOException {
    outbox.close();
    client.close();
  }

  @Test
  void shouldTellAllThatWaitsAtOnceAndThenWhyThereWillBeNoMore() throws Exception {
    outbox.add(1, 100, 1, List.of());
    outbox.add(2, 50, 1, THOUSAND);
    outbox.fail("the disk is full");
    outbox.start("trips");
    assertEquals(new Acknowledgement(150, 2, THOUSAND, ""), client.acknowledgement());
    assertThrows(StreamFaultException.class, client::acknowledgement);
    assertEquals(3, told.take(), "acknowledged");
    assertEquals(Outbox.MAX_PENDING, told.take(), "it has ended");
    assertTrue(outbox.isClosed());
  }

  /** The points of a client with a topic arrive even if it does not read. */
  @Test
  void shouldHangUpOnAClientThatNeverReads() throws Exception {
    outbox.start("trips");
    while (!outbox.isClosed()) {
      outbox.add(1, 1_000, 0, THOUSAND);
    }
    assertEquals(
        "closed a connection: 263000 finished trips wait for it; read the acknowledgements",
        said.take());
    for (int packets = told.take(); packets != Outbox.MAX_PENDING; packets = told.take()) {
      // until the outbox closes
    }
  }
}
