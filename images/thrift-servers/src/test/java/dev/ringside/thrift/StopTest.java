package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.thrift.transport.TNonblockingServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
final class StopTest {
  private static final int MAX_PAUSE_NANOS = 2_000_000;

  @Test
  void shouldStopWithOpenConnections() throws Exception {
    RunningServer server = new RunningServer(new TestService());
    List<Client> clients = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Client client = server.connect();
      client.call("echo", Bytes.of("x"));
      clients.add(client);
    }
    server.stop();
    for (Client client : clients) {
      assertTrue(client.isClosedByServer());
      client.close();
    }
    assertEquals(0, server.server.connections());
    assertThrows(IOException.class, server::connect);
  }

  /** Whatever a handler has done, its client is told: every call that returned is answered. */
  @Test
  void shouldLoseNoReplyOfARequestThatRanWhenStoppedUnderLoad() throws Exception {
    for (int round = 0; round < 5; round++) {
      AtomicInteger ran = new AtomicInteger();
      TestService service =
          new TestService()
              .on(
                  "work",
                  argument -> {
                    if (argument[0] % 3 == 0) {
                      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
                    }
                    ran.incrementAndGet();
                    return argument;
                  });
      RunningServer server = new RunningServer(service);
      LoopShuffler shuffler = new LoopShuffler(server.server, 2);
      ExecutorService clients = Executors.newFixedThreadPool(12);
      List<Future<Integer>> answered = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        Client client = server.connect();
        answered.add(clients.submit(() -> callUntilTheEnd(client)));
      }
      RunningServer.await("there is load", () -> ran.get() > 200);
      server.stop();
      int all = 0;
      for (Future<Integer> one : answered) {
        all += one.get();
      }
      clients.shutdown();
      shuffler.close();
      assertEquals(ran.get(), all);
    }
  }

  /** Calls, four requests at a time, until the server ends the connection; tells the replies. */
  private static int callUntilTheEnd(Client client) throws Exception {
    int answered = 0;
    try (Client open = client) {
      try {
        while (true) {
          int[] ids = new int[4];
          for (int j = 0; j < ids.length; j++) {
            // Not all at once, so that the end comes between two of them as well.
            LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(MAX_PAUSE_NANOS));
            ids[j] = open.send("work", new byte[] {(byte) j});
          }
          for (int id : ids) {
            open.receive("work", id);
            answered++;
          }
        }
      } catch (EOFException e) {
        return answered;
      } catch (SocketException e) {
        // The server has stopped. A send may fail while replies are still there to be read.
        return answered + open.receiveTheRest();
      }
    }
  }

  /** What the server sent before it closed, its client can read, whatever it sends after that. */
  @Test
  void shouldLeaveItsReplyToAClientWhoseNextSendFails() throws Exception {
    RunningServer server = new RunningServer(new TestService());
    try (Client client = server.connect()) {
      client.send("echo", Bytes.of("x"));
      RunningServer.await("it is answered", () -> server.metrics().bytesWritten.sum() > 0);
      server.stop();
      assertThrows(
          SocketException.class,
          () -> {
            while (true) {
              client.send("echo", Bytes.of("y"));
            }
          });
      assertEquals(1, client.receiveTheRest());
    }
  }

  @Test
  void shouldReturnFromServeWhenAHandlerIsStuck() throws Exception {
    CountDownLatch stuck = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    AtomicInteger closed = new AtomicInteger();
    TestService service =
        new TestService()
            .on(
                "stick",
                argument -> {
                  stuck.countDown();
                  never.await();
                  return argument;
                });
    RunningServer server =
        new RunningServer(
            service,
            args ->
                args.stopTimeout(200, TimeUnit.MILLISECONDS)
                    .connectionListener(
                        new ConnectionListener() {
                          @Override
                          public void closed(java.net.SocketAddress client) {
                            closed.incrementAndGet();
                          }
                        }));
    try (Client client = server.connect()) {
      client.send("stick", Bytes.of("x"));
      stuck.await();
      server.stop();
      assertTrue(client.isClosedByServer());
      assertEquals(0, closed.get(), "its session ends after its request");
      never.countDown();
      RunningServer.await("the session ends", () -> closed.get() == 1);
    }
  }

  @Test
  void shouldLetAStopBeforeServeWin() throws Exception {
    TDisruptorServer server =
        new TDisruptorServer(
            new TDisruptorServer.Args(
                    new TNonblockingServerSocket(
                        new InetSocketAddress("127.0.0.1", RunningServer.freePort())))
                .processor(new TestService()));
    server.stop();
    server.stop();
    server.serve();
    assertTrue(!server.isServing());
  }
}
