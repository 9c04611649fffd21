package dev.ringside.thrift.internal.work;

import java.lang.reflect.Method;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Represents a thread of the server that other threads can interrupt only while it runs a user's
 * code: a handler or a hook. At other times an interrupt is for code that has ended, and would do
 * harm: Java 8 closes the channel that an interrupted thread reads, and a select does not wait.
 *
 * <p>Threads of a user's {@code Args.threadFactory} are of another class. They lose an interrupt
 * wherever it could be noticed; on Java 8 one that comes during a read or write still closes that
 * connection.
 */
public final class ServerThread extends Thread {
  private static final int CLOSED = 0;
  private static final int OPEN = 1;
  private static final int INTERRUPTING = 2;

  private final AtomicInteger state = new AtomicInteger();

  public ServerThread(Runnable task, String name) {
    super(task, name);
    setDaemon(true);
  }

  /** Returns a factory that names the threads of a server after it. */
  public static ThreadFactory factory(String name) {
    AtomicInteger count = new AtomicInteger();
    return task -> new ServerThread(task, name + "-" + count.incrementAndGet());
  }

  /**
   * Reports whether a factory creates virtual threads (Java 21 and later; it then creates one,
   * unstarted). They cannot lead event loops: ThreadMXBean reports no CPU time of theirs, and the
   * kernel's thread is a carrier that also serves others.
   */
  public static boolean areVirtual(ThreadFactory factory) {
    Method isVirtual;
    try {
      isVirtual = Thread.class.getMethod("isVirtual");
    } catch (NoSuchMethodException e) {
      return false;
    }
    try {
      Thread made = factory.newThread(() -> {});
      return made != null && (Boolean) isVirtual.invoke(made);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("Java does not tell which threads are virtual", e);
    }
  }

  /** Records that the current thread begins to run a user's code. */
  public static void beginUserCode() {
    Thread current = Thread.currentThread();
    if (current instanceof ServerThread) {
      // Not volatile: an interrupter knows this thread from the code, and so comes later.
      ((ServerThread) current).state.lazySet(OPEN);
    }
  }

  /** Records that the user's code has ended, and removes an interrupt that it leaves behind. */
  public static void endUserCode() {
    Thread current = Thread.currentThread();
    if (current instanceof ServerThread) {
      ((ServerThread) current).close();
    }
    Thread.interrupted();
  }

  private void close() {
    while (state.get() != CLOSED && !state.compareAndSet(OPEN, CLOSED)) {
      // Another thread is inside interrupt().
      Thread.yield();
    }
  }

  @Override
  public void interrupt() {
    if (state.compareAndSet(OPEN, INTERRUPTING)) {
      try {
        super.interrupt();
      } finally {
        state.set(OPEN);
      }
    }
  }
}
