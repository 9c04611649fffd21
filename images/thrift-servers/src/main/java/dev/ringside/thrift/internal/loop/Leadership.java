package dev.ringside.thrift.internal.loop;

import dev.ringside.thrift.internal.habits.MethodHabits;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Represents one thread's time as the leader of an event loop. While the leader runs code that may
 * block, it can be deposed: another thread then leads the loop, and this one continues as a worker
 * with the connection that it has.
 *
 * <p>Replies to earlier requests of that connection may wait to be sent together with the one that
 * is late. The thread that deposes the leader sends them. While a leader serves, it touches neither
 * the socket nor the replies that it has published; after it has been deposed, it waits until they
 * are sent.
 */
public final class Leadership {
  private static final int SELECTING = 0;
  private static final int SERVING = 1;
  private static final int FLUSHING = 2;
  private static final int DEPOSED = 3;

  public final EventLoop loop;
  public final Thread thread = Thread.currentThread();
  public final Io io;
  private final Alarm alarm;
  private final AtomicInteger state = new AtomicInteger();
  private @Nullable Connection served;
  private int flushed;

  /** Creates the leadership of the current thread, which has these buffers. */
  public Leadership(EventLoop loop, Io io, Alarm alarm) {
    this.loop = loop;
    this.io = io;
    this.alarm = alarm;
  }

  /**
   * Records that the leader begins to run code that may block. A full fence: either the watchdog
   * sees it before it sleeps, or the leader sees that the watchdog sleeps.
   *
   * @param connection one with replies in the thread's reply buffer
   */
  public void beginServing(@Nullable Connection connection) {
    served = connection;
    io.progressed();
    state.set(SERVING);
    alarm.watch();
  }

  /** Records that the leader begins to call hooks, which may block. It has no replies to send. */
  public void beginHooks(MethodHabits hooks) {
    io.running.lazySet(hooks);
    beginServing(null);
  }

  /** Records that the hooks have returned; returns false if the leader was deposed meanwhile. */
  public boolean endHooks() {
    io.running.lazySet(null);
    return endServing();
  }

  /** Records that the code has returned; returns false if the leader was deposed by then. */
  public boolean endServing() {
    if (state.compareAndSet(SERVING, SELECTING)) {
      served = null;
      return true;
    }
    while (state.get() == FLUSHING) {
      // One write to a socket that does not wait.
      Thread.yield();
    }
    served = null;
    io.replies.drop(flushed);
    flushed = 0;
    return false;
  }

  /** Reports whether the leader has lost the loop. */
  public boolean isDeposed() {
    return state.get() >= FLUSHING;
  }

  /** Reports whether the leader runs code that may block. For the watchdog. */
  public boolean isServing() {
    return state.get() == SERVING;
  }

  /**
   * Deposes the leader; returns true if it was serving and has now lost the loop. For the watchdog.
   *
   * @param own the watchdog's buffers
   */
  public boolean depose(Io own) {
    if (!state.compareAndSet(SERVING, FLUSHING)) {
      return false;
    }
    try {
      Connection connection = served;
      if (connection != null && io.replies.sendable() > 0) {
        flushed = connection.sendFor(io.replies, own);
      }
    } finally {
      state.set(DEPOSED);
    }
    return true;
  }
}
