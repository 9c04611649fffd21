package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.thrift.internal.loop.Alarm;
import dev.ringside.thrift.internal.loop.Connection;
import dev.ringside.thrift.internal.loop.EventLoop;
import dev.ringside.thrift.internal.loop.EventLoops;
import dev.ringside.thrift.internal.loop.Io;
import dev.ringside.thrift.internal.loop.ReadyKeys;
import dev.ringside.thrift.internal.loop.ServerCore;
import dev.ringside.thrift.internal.loop.Watchdog;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.thrift.transport.TNonblockingSocket;
import org.apache.thrift.transport.TNonblockingTransport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests what is passed to an event loop that cannot be woken for lack of memory. */
@Timeout(180)
final class WakeUpFailureTest {
  private final DeafSelector selector = new DeafSelector();

  /** Is a selector without channels, of which some wake-ups fail. */
  private static final class DeafSelector extends AbstractSelector {
    private final Set<SelectionKey> selected = new HashSet<>();
    private final AtomicInteger failures = new AtomicInteger(2);
    private final AtomicInteger wakeUps = new AtomicInteger();

    DeafSelector() {
      super(SelectorProvider.provider());
    }

    @Override
    public Selector wakeup() {
      if (failures.getAndDecrement() > 0) {
        throw new InternalError("injected");
      }
      wakeUps.incrementAndGet();
      return this;
    }

    @Override
    public Set<SelectionKey> keys() {
      return new HashSet<>();
    }

    @Override
    public Set<SelectionKey> selectedKeys() {
      return selected;
    }

    @Override
    public int select() {
      return 0;
    }

    @Override
    public int select(long millis) {
      return 0;
    }

    @Override
    public int selectNow() {
      return 0;
    }

    @Override
    protected void implCloseSelector() {
      // holds nothing
    }

    @Override
    protected SelectionKey register(AbstractSelectableChannel channel, int operations, Object a) {
      throw new UnsupportedOperationException(((SelectableChannel) channel).toString());
    }
  }

  /** Does something while the loop is about to sleep, so that it must be woken. */
  private static void whileAsleep(EventLoop loop, Runnable action) throws Exception {
    loop.select(
        new ReadyKeys(),
        0,
        () -> {
          action.run();
          return 0;
        });
  }

  @Test
  void shouldTakeWhatItIsGivenAndBeWokenByTheWatchdog() throws Exception {
    try (RunningServer server =
            new RunningServer(
                new TestService(), args -> args.blockedAfter(1, TimeUnit.MILLISECONDS));
        Client client = server.connectAndCall("echo")) {
      Io io = new Io(4096, 0);
      Connection connection = server.connection(client);
      TNonblockingTransport transport = new TNonblockingSocket("127.0.0.1", server.port);
      EventLoop loop = server.server.core().newLoop(selector);
      EventLoops loops = new EventLoops(() -> 0, () -> {});
      loops.add(loop);

      whileAsleep(loop, () -> loop.giveBack(connection, io));
      assertSame(connection, loop.returned.poll());
      assertNull(loop.returned.poll());

      selector.failures.set(2);
      whileAsleep(loop, () -> loop.adopt(connection, io));
      assertSame(connection, loop.adopted.poll());
      assertNull(loop.adopted.poll());

      selector.failures.set(2);
      whileAsleep(loop, () -> loop.accept(transport));
      assertSame(transport, loop.accepted.poll());
      assertNull(loop.accepted.poll());
      assertEquals(2, loop.load());

      assertEquals(0, selector.wakeUps.get());
      assertTrue(server.metrics().failures.sum() > 0);
      ServerCore core = server.server.core();
      Alarm alarm = new Alarm();
      Watchdog watchdog = new Watchdog(core.run, loops, core.workers, alarm);
      Thread thread = new Thread(watchdog, "watchdog");
      thread.start();
      RunningServer.await("the loop is woken", () -> selector.wakeUps.get() > 0);
      RunningServer.await("the watchdog sleeps", alarm::isAsleep);
      transport.close();
      server.stop();
      alarm.end();
      thread.join();
    }
  }
}
