package dev.ringside.bench.handler;

import java.util.Arrays;
import java.util.stream.Collectors;

/** Selects the threads that run handlers, for servers that leave this to the user. */
public enum HandlerThreads {
  /** A pool of workers, to which event loops pass requests. */
  POOL("pool"),
  /** The event loops themselves. */
  LOOPS("loops");

  private final String id;

  HandlerThreads(String id) {
    this.id = id;
  }

  /** Returns the argument of a server's process. */
  public String id() {
    return id;
  }

  /**
   * Returns the value with a name.
   *
   * @throws IllegalArgumentException with a line that lists the valid names
   */
  public static HandlerThreads of(String id) {
    for (HandlerThreads threads : values()) {
      if (threads.id.equals(id)) {
        return threads;
      }
    }
    throw new IllegalArgumentException(
        "unknown threads '"
            + id
            + "': use one of "
            + Arrays.stream(values()).map(HandlerThreads::id).collect(Collectors.joining(", ")));
  }
}
