package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.thrift.internal.loop.Connection;
import dev.ringside.thrift.internal.loop.Drain;
import dev.ringside.thrift.internal.loop.EventLoop;
import dev.ringside.thrift.internal.loop.Io;
import dev.ringside.thrift.internal.loop.LoopMembers;
import dev.ringside.thrift.internal.loop.LoopSweep;
import dev.ringside.thrift.internal.loop.Outcome;
import dev.ringside.thrift.internal.loop.ReadyKeys;
import dev.ringside.thrift.internal.loop.RequestRunner;
import dev.ringside.thrift.internal.loop.ServerCore;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.thrift.server.TServerEventHandler;
import org.apache.thrift.transport.TNonblockingServerSocket;
import org.apache.thrift.transport.TNonblockingSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests a stop() between two related steps of another thread. */
@Timeout(180)
final class HandOverAtStopTest {
  private static final int MAX_PAUSE_NANOS = 3_000_000;

  private static TDisruptorServer.Args args() throws Exception {
    return new TDisruptorServer.Args(
            new TNonblockingServerSocket(
                new InetSocketAddress("127.0.0.1", RunningServer.freePort())))
        .processor(new TestService());
  }

  private static LoopMembers members(TDisruptorServer server, EventLoop loop, Io io) {
    ServerCore core = server.core();
    return new LoopMembers(core.run, core.workers, loop, io);
  }

  private static RequestRunner runner(TDisruptorServer server, Io io) {
    return new RequestRunner(server.core().run, server.core().workers, io);
  }

  private static LoopSweep sweep(TDisruptorServer server, EventLoop loop, Io io) {
    ServerCore core = server.core();
    Drain drain = new Drain(core.run, core.admission, core.loops);
    return new LoopSweep(core.run, drain, core.workers, loop, io);
  }

  /**
   * The leader has checked that the server is not stopping; it must then not sleep through the
   * stop.
   */
  @Test
  void shouldNotSleepOverAStopThatComesWhenALoopIsAboutToSleep() throws Exception {
    EventLoop loop = new TDisruptorServer(args()).core().newLoop(Selector.open());
    loop.select(
        new ReadyKeys(),
        0,
        () -> {
          loop.wakeUp();
          return -1;
        });
    loop.selector.close();
  }

  /**
   * Its owner answers just before the stop, and returns the connection after the loop's last check.
   */
  @Test
  void shouldLeaveNoConnectionBehindThatIsGivenBackAfterTheLastLook() throws Exception {
    AtomicInteger closed = new AtomicInteger();
    TDisruptorServer server =
        new TDisruptorServer(
            args()
                .stopTimeout(0, TimeUnit.SECONDS)
                .connectionListener(
                    new ConnectionListener() {
                      @Override
                      public void closed(SocketAddress client) {
                        closed.incrementAndGet();
                      }
                    }));
    EventLoop loop = server.core().newLoop(Selector.open());
    Io io = new Io(1 << 15, 0);
    try (ServerSocketChannel listener =
            ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0));
        SocketChannel client = SocketChannel.open(listener.getLocalAddress())) {
      assertTrue(server.core().admission.begins());
      loop.accept(new TNonblockingSocket(listener.accept()));
      Connection connection = members(server, loop, io).register(loop.accepted.poll());
      connection.ownership.take();
      assertEquals(Outcome.IDLE, runner(server, io).serve(connection, false));
      server.stop();
      sweep(server, loop, io).stopping();
      assertTrue(loop.isFinished());
      if (!connection.ownership.giveBackWatched()) {
        loop.giveBack(connection, io);
      }
      assertEquals(0, server.core().connections());
      assertEquals(1, closed.get());
      assertTrue(client.isConnected());
    }
  }

  /** A leader that has not seen the stop moves a connection to a loop that has. */
  @Test
  void shouldKeepTheUnsentReplyOfAConnectionThatChangesTheLoopAtAStop() throws Exception {
    TDisruptorServer server =
        new TDisruptorServer(
            args()
                .selectors(2)
                .processor(new TestService().on("huge", argument -> new byte[1 << 24])));
    server.core().openLoops();
    EventLoop to = server.core().loops.get(0);
    EventLoop outOfUse = server.core().loops.get(1);
    Io io = new Io(1 << 15, 0);
    try (ServerSocketChannel listener =
            ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0));
        Client client = new Client(listener.socket().getLocalPort())) {
      assertTrue(server.core().admission.begins());
      outOfUse.accept(new TNonblockingSocket(listener.accept()));
      Connection connection = members(server, outOfUse, io).register(outOfUse.accepted.poll());
      client.send("huge", Bytes.of("x"));
      connection.ownership.take();
      RunningServer.await(
          "the client takes no more",
          () -> runner(server, io).serve(connection, false) == Outcome.WRITE_BLOCKED);
      connection.ownership.putBack();

      server.stop();
      sweep(server, to, io).stopping();
      members(server, outOfUse, io).share();
      sweep(server, outOfUse, io).stopping();
      members(server, to, io).takeAdopted();
      sweep(server, to, io).stopping();

      assertTrue(outOfUse.isFinished());
      assertFalse(to.isFinished());
      assertFalse(connection.outbox.isEmpty());
      assertFalse(connection.isBroken());
      connection.closeGracefully(io);
      sweep(server, to, io).stopping();
      assertTrue(to.isFinished());
    }
  }

  @Test
  void shouldEndAllThreadsWheneverInItsStartItIsStopped() throws Exception {
    for (int round = 0; round < 100; round++) {
      List<Thread> threads = new CopyOnWriteArrayList<>();
      TDisruptorServer server =
          new TDisruptorServer(
              args()
                  .selectors(1 + round % 3)
                  .threadFactory(
                      task -> {
                        Thread thread = new Thread(task);
                        threads.add(thread);
                        return thread;
                      }));
      Thread serve = new Thread(server::serve);
      serve.start();
      LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(MAX_PAUSE_NANOS));
      server.stop();
      serve.join();
      RunningServer.await(
          "all threads have ended", () -> threads.stream().noneMatch(Thread::isAlive));
    }
  }

  @Test
  void shouldGiveEverythingBackWhenItsStartFails() throws Exception {
    TDisruptorServer server = new TDisruptorServer(args());
    server.setServerEventHandler(
        (TServerEventHandler)
            java.lang.reflect.Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {TServerEventHandler.class},
                (proxy, method, arguments) -> {
                  throw new IllegalArgumentException("on purpose");
                }));
    assertEquals(
        "on purpose", assertThrows(IllegalArgumentException.class, server::serve).getMessage());
    assertFalse(server.isServing());
    server.core().loops.forEach(loop -> assertFalse(loop.selector.isOpen()));
  }
}
