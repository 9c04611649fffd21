package dev.ringside.thrift;

import java.lang.reflect.Method;
import java.util.concurrent.ThreadFactory;

/**
 * Virtual threads (JEP 444, Java 21 and later), by reflection, for this is compiled for a Java
 * without them, too. None can lead an event loop: what a method does, and so where its next request
 * runs, is learned there from its thread's CPU time and from its state in the kernel, of which a
 * virtual thread has neither. (ThreadMXBean says -1; the kernel's thread is a carrier that serves
 * others meanwhile.)
 */
final class VirtualThreads {
  /** Of a thread; null in a Java that has none. */
  private static final Method IS_VIRTUAL = isVirtual();

  private VirtualThreads() {}

  /** Whether this Java has them. */
  static boolean exist() {
    return IS_VIRTUAL != null;
  }

  /** Makes them, named with numbers behind that. Only where they {@link #exist}. */
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
