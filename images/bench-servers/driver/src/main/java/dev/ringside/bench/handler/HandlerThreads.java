package dev.ringside.bench.handler;

import java.util.Arrays;
import java.util.stream.Collectors;

/** Which threads run the handlers of a server that leaves it to its user. */
public enum HandlerThreads {
  /** A pool of workers, to which event loops hand requests. */
  POOL("pool"),
  /** The event loops themselves. */
  LOOPS("loops");

  private final String id;

  HandlerThreads(String id) {
    this.id = id;
  }

  /** What a server's process is told. */
  public String id() {
    return id;
  }

  /**
   * Those of that name.
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
