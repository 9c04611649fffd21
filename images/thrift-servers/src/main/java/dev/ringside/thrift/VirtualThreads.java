package dev.ringside.thrift;

import java.lang.reflect.Method;
import java.util.concurrent.ThreadFactory;

/**
 * Gives access to virtual threads (JEP 444, Java 21 and later) by reflection, because this is
 * compiled for older versions too. A virtual thread cannot lead an event loop: the server learns
 * there what a method does from its thread's CPU time and kernel state. ThreadMXBean reports -1 for
 * a virtual thread, and the kernel's thread is a carrier that also serves others.
 */
final class VirtualThreads {
  /**
   * The method that reports whether a thread is virtual; null if this Java has no virtual threads.
   */
  private static final Method IS_VIRTUAL = isVirtual();

  private VirtualThreads() {}

  /** Reports whether this Java has virtual threads. */
  static boolean exist() {
    return IS_VIRTUAL != null;
  }

  /**
   * Returns a factory that names them with the prefix and a number. Only where they {@link #exist}.
   */
  static ThreadFactory factory(String prefix) {
    try {
      Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
      Class<?> type = Class.forName("java.lang.Thread$Builder");
      type.getMethod("name", String.class, long.class).invoke(builder, prefix, 1L);
      return (ThreadFactory) type.getMethod("factory").invoke(builder);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this Java does not make virtual threads", e);
    }
  }

  /**
   * Reports whether a factory creates virtual threads. From Java 21 on it creates one, unstarted.
   */
  static boolean areMadeBy(ThreadFactory factory) {
    if (IS_VIRTUAL == null) {
      return false;
    }
    try {
      Thread made = factory.newThread(() -> {});
      return made != null && (Boolean) IS_VIRTUAL.invoke(made);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("Java does not tell which threads are virtual", e);
    }
  }

  private static Method isVirtual() {
    try {
      return Thread.class.getMethod("isVirtual");
    } catch (NoSuchMethodException e) {
      return null;
    }
  }
}
