package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.thrift.internal.wire.Libthrift;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.thrift.transport.TNonblockingServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests connections that move to another event loop. */
@Timeout(180)
final class LoopsTest {
  private static List<Integer> loads(RunningServer server) {
    List<Integer> loads = new ArrayList<>();
    server.server.core().loops.forEach(loop -> loads.add(loop.load()));
    return loads;
  }

  @Test
  void shouldKeepIdleConnectionsOnOneLoop() throws Exception {
    List<Client> clients = new ArrayList<>();
    try (RunningServer server = new RunningServer(new TestService())) {
      for (int i = 0; i < 10; i++) {
        clients.add(server.connect());
        clients.get(i).call("echo", Bytes.of("x"));
      }
      assertEquals(1, server.server.core().loops.inUse());
      assertEquals(Arrays.asList(10, 0), loads(server));
    } finally {
      close(clients);
    }
  }

  @Test
  void shouldShareConnectionsWhenALoopIsAddedAndCollectThemWhenItIsGivenUp() throws Exception {
    List<Client> clients = new ArrayList<>();
    try (RunningServer server =
        new RunningServer(
            new TestService(),
            args ->
                // Disables the watchdog, which would also change the number of loops. A connection
                // moves at rest only, which it is not while a worker has it.
                args.selectors(3).blockedAfter(1, TimeUnit.HOURS).inlineLimit(1, TimeUnit.HOURS))) {
      for (int i = 0; i < 9; i++) {
        clients.add(server.connect());
        clients.get(i).call("echo", Bytes.of("x"));
      }
      for (int loops : new int[] {3, 2, 3, 1}) {
        server.server.core().loops.use(loops);
        int share = (9 + loops - 1) / loops;
        RunningServer.await(
            "connections are shared by " + loops,
            () -> {
              List<Integer> loads = loads(server);
              return loads.stream().mapToInt(load -> load).sum() == 9
                  && loads.stream().limit(loops).allMatch(load -> load > 0 && load <= share)
                  && loads.stream().skip(loops).allMatch(load -> load == 0);
            });
        for (Client client : clients) {
          assertEquals("still here", Bytes.text(client.call("echo", Bytes.of("still here"))));
        }
      }
    } finally {
      close(clients);
    }
  }

  /** Such connections always have another request to run, so none of them is ever at rest. */
  @Test
  void shouldShareConnectionsOfClientsThatPipeline() throws Exception {
    int requests = 200;
    List<Client> clients = new ArrayList<>();
    Gate gate = new Gate();
    AtomicInteger calls = new AtomicInteger();
    TestService service =
        new TestService()
            .on(
                "work",
                argument -> {
                  gate.pass();
                  calls.incrementAndGet();
                  Thread.sleep(1);
                  return argument;
                });
    try (RunningServer server =
        new RunningServer(
            service, args -> args.blockedAfter(1, TimeUnit.HOURS).inlineLimit(1, TimeUnit.HOURS))) {
      for (int i = 0; i < 4; i++) {
        clients.add(server.connect());
        clients.get(i).call("echo", Bytes.of("x"));
      }
      gate.close();
      int[] first = new int[clients.size()];
      for (int request = 0; request < requests; request++) {
        for (int i = 0; i < clients.size(); i++) {
          int id = clients.get(i).send("work", Bytes.of("x"));
          first[i] = request == 0 ? id : first[i];
        }
      }
      server.server.core().loops.use(2);
      gate.open();
      RunningServer.await(
          "both loops have two clients", () -> loads(server).equals(Arrays.asList(2, 2)));
      assertTrue(calls.get() < requests * clients.size(), "all requests ran before");
      for (int i = 0; i < clients.size(); i++) {
        for (int request = 0; request < requests; request++) {
          assertEquals("x", Bytes.text(clients.get(i).receive("work", first[i] + request)));
        }
      }
    } finally {
      close(clients);
    }
  }

  /** Several loops give connections away at the same time, so each sees others on their way. */
  @Test
  void shouldShareConnectionsHoweverOftenTheLoopsChange() throws Exception {
    List<Client> clients = new ArrayList<>();
    try (RunningServer server =
        new RunningServer(
            new TestService(),
            args ->
                args.selectors(3)
                    .blockedAfter(1, TimeUnit.HOURS)
                    // A connection moves at rest only, which it is not while a worker has it.
                    .inlineLimit(1, TimeUnit.HOURS))) {
      for (int i = 0; i < 9; i++) {
        clients.add(server.connect());
        clients.get(i).call("echo", Bytes.of("x"));
      }
      for (int change = 0; change < 1000; change++) {
        List<Integer> equal = change % 2 == 0 ? Arrays.asList(3, 3, 3) : null;
        server.server.core().loops.use(equal != null ? 3 : 2);
        RunningServer.await(
            "connections are shared after change " + change,
            () -> {
              List<Integer> loads = loads(server);
              return equal != null ? loads.equals(equal) : loads.get(2) == 0;
            });
        // None is on its way any more once all are answered.
        for (Client client : clients) {
          assertEquals("x", Bytes.text(client.call("echo", Bytes.of("x"))));
        }
      }
    } finally {
      close(clients);
    }
  }

  /** A thread may have chosen the loop just before it went out of use. */
  @Test
  void shouldGiveAwayWhatALoopReceivesAfterItWentOutOfUse() throws Exception {
    int port = RunningServer.freePort();
    TNonblockingServerSocket listener =
        new TNonblockingServerSocket(new InetSocketAddress("127.0.0.1", port));
    listener.listen();
    try (RunningServer server =
            new RunningServer(new TestService(), args -> args.blockedAfter(1, TimeUnit.HOURS));
        Client client = new Client(port)) {
      assertTrue(server.server.core().admission.begins());
      server.server.core().loops.get(1).accept(Libthrift.accept(listener));
      RunningServer.await(
          "it is in the loop that is in use", () -> loads(server).equals(Arrays.asList(1, 0)));
      assertEquals("x", Bytes.text(client.call("echo", Bytes.of("x"))));
    } finally {
      listener.close();
    }
  }

  @Test
  void shouldAnswerEveryRequestWhileConnectionsMove() throws Exception {
    try (RunningServer server =
            new RunningServer(
                Load.moodyService(),
                args -> args.selectors(3).blockedAfter(200, TimeUnit.MICROSECONDS));
        LoopShuffler shuffler = new LoopShuffler(server.server, 3)) {
      Load.run(server, 16, 300, null, new Random(7));
      assertTrue(shuffler.moves() > 0);
    }
  }

  private static void close(List<Client> clients) throws Exception {
    for (Client client : clients) {
      client.close();
    }
  }
}
