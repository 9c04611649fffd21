package dev.ringside.thrift;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Selects how a worker without work waits for the ring. In every mode a request wakes at most one
 * worker.
 */
public enum WaitMode {
  /**
   * Parks at once. An idle server uses no CPU; a handed-off request costs one wake-up, some 5 µs.
   */
  BLOCKING(0, false),
  /**
   * Polls the ring some 200 times before it parks. Saves the wake-up of a request that arrives
   * within microseconds; costs those microseconds of CPU whenever a worker runs out of work.
   */
  LITE_BLOCKING(200, false),
  /**
   * One worker polls the ring every 100 µs and sleeps in between; the others are parked. Publishing
   * wakes nobody; a request waits for 100 µs or more; an idle server uses 1 to 3 % of a core.
   */
  SLEEPING(200, true);

  private final int polls;
  private final boolean sleeps;

  WaitMode(int polls, boolean sleeps) {
    this.polls = polls;
    this.sleeps = sleeps;
  }

  /** Returns how often to poll before the next step, which is to sleep or to park. */
  int polls() {
    return polls;
  }

  /** Reports whether one worker polls without a limit, and sleeps in between. */
  boolean sleeps() {
    return sleeps;
  }

  /** Returns the name that users write, such as {@code lite-blocking}. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Returns the mode with that name.
   *
   * @throws IllegalArgumentException if there is none; the message lists the valid names
   */
  public static WaitMode of(String id) {
    for (WaitMode mode : values()) {
      if (mode.id().equals(id)) {
        return mode;
      }
    }
    throw new IllegalArgumentException("unknown wait mode '" + id + "': use one of " + ids());
  }

  /** Returns all names, for messages. */
  static String ids() {
    return Arrays.stream(values()).map(WaitMode::id).collect(Collectors.joining(", "));
  }
}
