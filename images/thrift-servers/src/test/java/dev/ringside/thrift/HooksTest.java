package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.BindException;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.server.ServerContext;
import org.apache.thrift.server.TServerEventHandler;
import org.apache.thrift.transport.TTransport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
final class HooksTest {
  /** Detects every order of calls that violates the contract. */
  private static final class Auditor implements ConnectionListener {
    final Map<SocketAddress, AtomicInteger> requests = new ConcurrentHashMap<>();
    final AtomicInteger opened = new AtomicInteger();
    final AtomicInteger closed = new AtomicInteger();
    final AtomicInteger faults = new AtomicInteger();
    final ThreadLocal<SocketAddress> current = new ThreadLocal<>();

    @Override
    public void opened(SocketAddress client) {
      opened.incrementAndGet();
      if (requests.put(client, new AtomicInteger()) != null) {
        faults.incrementAndGet();
      }
    }

    @Override
    public void beforeRequest(SocketAddress client, String method) {
      AtomicInteger count = requests.get(client);
      if (count == null) {
        faults.incrementAndGet();
      } else {
        count.incrementAndGet();
      }
      current.set(client);
    }

    @Override
    public void closed(SocketAddress client) {
      closed.incrementAndGet();
      if (requests.remove(client) == null) {
        faults.incrementAndGet();
      }
    }
  }

  private static final class Context implements ServerContext {
    final AtomicInteger requests = new AtomicInteger();
    final AtomicInteger deleted = new AtomicInteger();
    volatile SocketAddress address;

    // The newest libthrift has these methods; 0.9.2 does not have them.

    public <T> T unwrap(Class<T> type) {
      return type.cast(this);
    }

    public boolean isWrapperFor(Class<?> type) {
      return type.isInstance(this);
    }

    public void setRemoteAddress(SocketAddress value) {
      address = value;
    }
  }

  private static final class Events implements TServerEventHandler {
    final AtomicInteger served = new AtomicInteger();
    final List<Context> contexts = java.util.Collections.synchronizedList(new ArrayList<>());

    @Override
    public void preServe() {
      served.incrementAndGet();
    }

    @Override
    public ServerContext createContext(TProtocol in, TProtocol out) {
      Context context = new Context();
      contexts.add(context);
      return context;
    }

    @Override
    public void deleteContext(ServerContext context, TProtocol in, TProtocol out) {
      ((Context) context).deleted.incrementAndGet();
    }

    @Override
    public void processContext(ServerContext context, TTransport in, TTransport out) {
      ((Context) context).requests.incrementAndGet();
    }
  }

  /** libthrift's own servers of that version do so before the first request. */
  @Test
  void shouldTellAContextItsClientsAddressWhereLibthriftHasThat() throws Exception {
    boolean has =
        Arrays.stream(ServerContext.class.getMethods())
            .anyMatch(method -> method.getName().equals("setRemoteAddress"));
    Events events = new Events();
    try (RunningServer server = new RunningServer(new TestService(), args -> {}, events);
        Client client = server.connect()) {
      client.call("echo", Bytes.of("x"));
      assertEquals(
          has ? client.socket().getLocalSocketAddress() : null, events.contexts.get(0).address);
    }
  }

  @Test
  void shouldCallEachHookOnceOverThousandsOfRandomLives() throws Exception {
    Auditor auditor = new Auditor();
    Events events = new Events();
    AtomicInteger ran = new AtomicInteger();
    TestService service = Load.moodyService();
    service.on(
        "count",
        argument -> {
          ran.incrementAndGet();
          assertTrue(auditor.current.get() != null);
          return argument;
        });
    service.on(
        "fail",
        argument -> {
          throw new org.apache.thrift.TException("on purpose");
        });
    int threads = 8;
    int lives = 400;
    RunningServer server =
        new RunningServer(
            service,
            args ->
                args.connectionListener(auditor)
                    .maxWorkers(16)
                    .blockedAfter(200, TimeUnit.MICROSECONDS),
            events);
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    List<Future<?>> all = new ArrayList<>();
    LoopShuffler shuffler = new LoopShuffler(server.server, 2);
    for (int i = 0; i < threads; i++) {
      Random random = new Random(i);
      all.add(
          pool.submit(
              () -> {
                int port = 0;
                for (int life = 0; life < lives; life++) {
                  port = live(server, random, port);
                }
                return null;
              }));
    }
    for (Future<?> one : all) {
      one.get();
    }
    pool.shutdown();
    shuffler.close();
    Client open = server.connect();
    open.call("count", Bytes.of("x"));
    server.stop();
    open.close();

    assertEquals(threads * lives + 1, auditor.opened.get());
    assertEquals(auditor.opened.get(), auditor.closed.get());
    assertEquals(0, auditor.faults.get());
    assertEquals(1, events.served.get());
    assertEquals(threads * lives + 1, events.contexts.size());
    events.contexts.forEach(context -> assertEquals(1, context.deleted.get()));
    int requests = events.contexts.stream().mapToInt(context -> context.requests.get()).sum();
    assertEquals(server.inline() + server.handedOff(), requests);
    assertTrue(ran.get() > lives);
  }

  /**
   * Connects from a port, where 0 is any, and sends requests. Returns the port for the next life:
   * after a reset the same, which the server may not have noticed yet.
   */
  private static int live(RunningServer server, Random random, int port) throws Exception {
    int next = 0;
    try (Client client = connectFrom(server, port)) {
      int acts = random.nextInt(4);
      for (int act = 0; act < acts; act++) {
        switch (random.nextInt(6)) {
          case 0:
            client.send("fail", Bytes.of("x"));
            break;
          case 1:
            byte[] frame = Client.frame("count", 1, new byte[50]);
            client.send(Arrays.copyOf(frame, 1 + random.nextInt(frame.length)));
            // Later bytes of the client would be the rest of the incomplete frame.
            acts = 0;
            break;
          case 2:
            client.send("moody", new byte[10]);
            break;
          default:
            int id = client.send("count", Bytes.of("x"));
            if (random.nextBoolean()) {
              client.receive("count", id);
            }
        }
      }
      if (random.nextBoolean()) {
        next = client.socket().getLocalPort();
        client.reset();
      }
    } catch (IOException | org.apache.thrift.TException | AssertionError e) {
      // The server closed a connection that the test broke, or answered an earlier request.
    }
    return next;
  }

  private static Client connectFrom(RunningServer server, int port) throws IOException {
    try {
      return server.connectFrom(port);
    } catch (BindException e) {
      // Another client of this machine has the port now.
      return server.connectFrom(0);
    }
  }
}
