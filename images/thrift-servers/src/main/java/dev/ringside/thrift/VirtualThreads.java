package dev.ringside.thrift;

import java.lang.reflect.Method;
import java.util.concurrent.ThreadFactory;

/**
 * Virtual threads (JEP 444, Java 21 and later), which this server cannot use: what a method does,
 * and so where its next request runs, is learned from its thread's CPU time and from its state in
 * the kernel, of which a virtual thread has neither. (ThreadMXBean says -1; the kernel's thread is
 * a carrier that serves others meanwhile.)
 */
final class VirtualThreads {
  /** Of a thread; null in a Java that has none. */
  private static final Method IS_VIRTUAL = isVirtual();

  private VirtualThreads() {}

  /** Whether that factory makes them. Asks it for a thread that is not started, from Java 21 on. */
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
