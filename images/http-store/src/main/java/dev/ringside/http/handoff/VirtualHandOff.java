package dev.ringside.http.handoff;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Starts a virtual thread for each request. These run on as many threads as there are processors,
 * so the number of workers has no effect. Uses reflection because the module is built for Java 17.
 */
public final class VirtualHandOff implements HandOff {
  private static final Method FACTORY = find();

  private final ExecutorService executor;
  private final Room room;

  VirtualHandOff(int capacity) {
    try {
      executor = (ExecutorService) FACTORY.invoke(null);
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException("virtual threads cannot be made", e);
    }
    room = new Room(capacity);
  }

  private static Method find() {
    try {
      return Executors.class.getMethod("newVirtualThreadPerTaskExecutor");
    } catch (NoSuchMethodException e) {
      return null;
    }
  }

  /** Reports whether this Java has virtual threads. */
  public static boolean possible() {
    return FACTORY != null && Runtime.version().feature() >= 21;
  }

  @Override
  public void give(Task task) {
    room.give(task, executor);
  }

  @Override
  public long waiting() {
    return room.waiting();
  }

  @Override
  public Object essence() {
    return executor;
  }

  @Override
  public void close() {
    executor.shutdown();
  }
}
