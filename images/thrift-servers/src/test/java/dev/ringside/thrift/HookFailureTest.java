package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.TProcessor;
import org.apache.thrift.TProcessorFactory;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.server.ServerContext;
import org.apache.thrift.server.TServerEventHandler;
import org.apache.thrift.transport.TTransport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests hooks that throw any Throwable, and hooks that block. */
@Timeout(180)
final class HookFailureTest {
  private final AtomicInteger opened = new AtomicInteger();
  private final AtomicInteger closed = new AtomicInteger();
  private final AtomicInteger created = new AtomicInteger();
  private final AtomicInteger deleted = new AtomicInteger();

  private final ConnectionListener listener =
      new ConnectionListener() {
        @Override
        public void opened(SocketAddress client) {
          opened.incrementAndGet();
        }

        @Override
        public void closed(SocketAddress client) {
          closed.incrementAndGet();
        }
      };

  private class Events implements TServerEventHandler {
    @Override
    public void preServe() {}

    @Override
    public ServerContext createContext(TProtocol in, TProtocol out) {
      created.incrementAndGet();
      return null;
    }

    @Override
    public void deleteContext(ServerContext context, TProtocol in, TProtocol out) {
      deleted.incrementAndGet();
    }

    @Override
    public void processContext(ServerContext context, TTransport in, TTransport out) {}
  }

  @Test
  void shouldDeleteNoContextThatWasNeverCreated() throws Exception {
    TestService service = new TestService();
    AtomicInteger asked = new AtomicInteger();
    TProcessorFactory factory =
        new TProcessorFactory(service) {
          @Override
          public TProcessor getProcessor(TTransport transport) {
            if (asked.incrementAndGet() == 1) {
              throw new NoClassDefFoundError("on purpose");
            }
            return service;
          }
        };
    try (RunningServer server =
            new RunningServer(
                service,
                args -> args.connectionListener(listener).processorFactory(factory),
                new Events());
        Client unlucky = server.connect()) {
      assertTrue(unlucky.isClosedByServer());
      RunningServer.await("the listener is told", () -> closed.get() == 1);
      assertEquals(1, opened.get());
      assertEquals(Arrays.asList(0, 0), Arrays.asList(created.get(), deleted.get()));
      try (Client client = server.connect()) {
        assertEquals("x", Bytes.text(client.call("echo", Bytes.of("x"))));
      }
    }
    assertEquals(Arrays.asList(2, 2), Arrays.asList(opened.get(), closed.get()));
    assertEquals(Arrays.asList(1, 1), Arrays.asList(created.get(), deleted.get()));
  }

  @Test
  void shouldTellTheListenerThoughDeletingTheContextFailsWithAnError() throws Exception {
    Events events =
        new Events() {
          @Override
          public void deleteContext(ServerContext context, TProtocol in, TProtocol out) {
            super.deleteContext(context, in, out);
            throw new StackOverflowError("on purpose");
          }
        };
    try (RunningServer server =
        new RunningServer(new TestService(), args -> args.connectionListener(listener), events)) {
      for (int i = 1; i <= 5; i++) {
        try (Client client = server.connect()) {
          client.call("echo", Bytes.of("x"));
        }
        int gone = i;
        RunningServer.await("the listener is told", () -> closed.get() == gone);
      }
      assertEquals(5, deleted.get());
    }
  }

  @Test
  void shouldServeOthersWhileAHookBlocks() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    AtomicInteger blocked = new AtomicInteger();
    ConnectionListener slow =
        new ConnectionListener() {
          @Override
          public void opened(SocketAddress client) {
            if (opened.incrementAndGet() > 1) {
              block();
            }
          }

          @Override
          public void closed(SocketAddress client) {
            closed.incrementAndGet();
          }

          private void block() {
            blocked.incrementAndGet();
            try {
              release.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
        };
    List<Client> waiting = new ArrayList<>();
    try (RunningServer server =
            new RunningServer(
                new TestService(), args -> args.selectors(1).connectionListener(slow));
        Client client = server.connect()) {
      client.call("echo", Bytes.of("x"));
      for (int i = 0; i < 5; i++) {
        Client other = server.connect();
        other.send("echo", Bytes.of("late"));
        waiting.add(other);
      }
      RunningServer.await("hooks block", () -> blocked.get() == 5);
      assertEquals("y", Bytes.text(client.call("echo", Bytes.of("y"))));
      release.countDown();
      for (Client other : waiting) {
        assertEquals("late", Bytes.text(other.receive("echo", 1)));
        other.close();
      }
      RunningServer.await("those have ended", () -> closed.get() == 5);
    }
    assertEquals(6, closed.get());
  }

  @Test
  void shouldEndEverySessionAtTheDeadlineWhereverItsConnectionWaits() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    TestService service = new TestService().after("stick", () -> never.await());
    RunningServer server =
        new RunningServer(
            service,
            args ->
                args.selectors(1)
                    .maxWorkers(1)
                    .ringSize(2)
                    .inlineLimit(0, TimeUnit.SECONDS)
                    .stopTimeout(300, TimeUnit.MILLISECONDS)
                    .connectionListener(listener));
    List<Client> clients = new ArrayList<>();
    int count = 10;
    for (int i = 0; i < count; i++) {
      Client client = server.connect();
      client.send("stick", Bytes.of("x"));
      clients.add(client);
    }
    RunningServer.await(
        "the ring is full", () -> server.server.core().workers.shortage.loops() == 1);
    RunningServer.await("all are open", () -> opened.get() == count);
    server.stop();
    // All but those with blocked handlers, which end with their requests.
    RunningServer.await(
        "sessions of connections end that wait for a worker", () -> closed.get() >= count - 2);
    never.countDown();
    RunningServer.await("all sessions end", () -> closed.get() == count);
    for (Client client : clients) {
      client.close();
    }
  }

  @Test
  void shouldAnswerInPlaceOfARequestThatTheListenerDoesNotLetRun() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    TestService service = new TestService().after("count", () -> calls.incrementAndGet());
    AtomicBoolean refuses = new AtomicBoolean(true);
    ConnectionListener listener =
        new ConnectionListener() {
          @Override
          public void beforeRequest(SocketAddress client, String method) {
            if (refuses.get()) {
              throw new IllegalStateException("on purpose");
            }
          }
        };
    try (RunningServer server =
            new RunningServer(service, args -> args.connectionListener(listener));
        Client client = server.connect()) {
      assertThrows(TApplicationException.class, () -> client.call("count", Bytes.of("x")));
      assertEquals(0, calls.get());
      refuses.set(false);
      assertEquals("x", Bytes.text(client.call("count", Bytes.of("x"))));
      assertEquals(1, calls.get());
    }
  }
}
