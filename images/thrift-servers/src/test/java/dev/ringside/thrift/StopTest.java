package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.thrift.TException;
import org.apache.thrift.transport.TNonblockingServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
final class StopTest {
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
      AtomicInteger answered = new AtomicInteger();
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
      List<Thread> clients = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        Client client = server.connect();
        Thread thread =
            new Thread(
                () -> {
                  try (Client open = client) {
                    while (true) {
                      int[] ids = new int[4];
                      for (int j = 0; j < ids.length; j++) {
                        ids[j] = client.send("work", new byte[] {(byte) j});
                      }
                      for (int id : ids) {
                        client.receive("work", id);
                        answered.incrementAndGet();
                      }
                    }
                  } catch (IOException e) {
                    // the server has stopped; what came before its end has been counted
                    drain(client, answered);
                  } catch (TException e) {
                    throw new AssertionError(e);
                  }
                });
        thread.start();
        clients.add(thread);
      }
      RunningServer.await("there is load", () -> ran.get() > 200);
      server.stop();
      for (Thread client : clients) {
        client.join();
      }
      shuffler.close();
      assertEquals(ran.get(), answered.get());
    }
  }

  /** A send may fail while replies are still there to be read. */
  private static void drain(Client client, AtomicInteger answered) {
    try {
      while (true) {
        client.receiveAny();
        answered.incrementAndGet();
      }
    } catch (IOException e) {
      // the end
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
