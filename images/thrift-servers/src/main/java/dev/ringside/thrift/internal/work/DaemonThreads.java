package dev.ringside.thrift.internal.work;

import java.lang.reflect.Method;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Names the threads of a server after it. */
public final class DaemonThreads implements ThreadFactory {
  private final String name;
  private final AtomicInteger count = new AtomicInteger();

  public DaemonThreads(String name) {
    this.name = name;
  }

  @Override
  public Thread newThread(Runnable task) {
    return new ServerThread(task, name + "-" + count.incrementAndGet());
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
}
