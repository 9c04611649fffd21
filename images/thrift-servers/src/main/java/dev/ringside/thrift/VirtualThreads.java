package dev.ringside.thrift;

import java.lang.reflect.Method;
import java.util.concurrent.ThreadFactory;

/**
 * Virtual threads (JEP 444, Java 21 and later), which this server cannot use. Any of its threads
 * may lead an event loop, and one that waits in a selector keeps its carrier: as many loops as
 * there are carriers, and handlers that are ready to go on find none. What a method does is learned
 * from its threads' CPU time and from their state in the kernel, of which a virtual thread has
 * neither.
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
