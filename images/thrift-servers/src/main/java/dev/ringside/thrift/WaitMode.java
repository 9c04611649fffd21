package dev.ringside.thrift;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * How a worker waits for the ring when it has nothing to do. Whatever the mode, a request wakes one
 * worker at most, and workers beyond the {@link #pollers} are parked.
 */
public enum WaitMode {
  /**
   * Parks at once. An idle server uses no CPU; a handed-off request costs one wakeup (some 5 µs).
   */
  BLOCKING(0, 0, false),
  /**
   * Looks at the ring a few hundred times before it parks: saves the wakeup of a request that comes
   * within microseconds, costs those microseconds of CPU each time a worker runs out of work.
   */
  LITE_BLOCKING(0, 200, false),
  /**
   * One worker looks at the ring, then sleeps 100 µs, and so on. Publishing wakes nobody; a request
   * waits up to 100 µs and more; an idle server uses 1 to 3 % of a core.
   */
  SLEEPING(1, 200, true),
  /**
   * One worker polls and yields. Uses 100 % of a core, which it gives to any other thread that
   * wants it.
   */
  YIELDING(1, Integer.MAX_VALUE, false),
  /** One worker polls. Uses 100 % of a core for itself: only where cores are plenty. */
  BUSY_SPIN(1, Integer.MAX_VALUE, false);

  private final int pollers;
  private final int polls;
  private final boolean sleeps;

  WaitMode(int pollers, int polls, boolean sleeps) {
    this.pollers = pollers;
    this.polls = polls;
    this.sleeps = sleeps;
  }

  /** How many workers may poll at the same time for as long as they like. */
  int pollers() {
    return pollers;
  }

  /** How often to look before the next step: to sleep, or to park. */
  int polls() {
    return polls;
  }

  boolean sleeps() {
    return sleeps;
  }

  /** The name that users write, such as {@code lite-blocking}. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The mode of that name.
   *
   * @throws IllegalArgumentException with a line that lists the valid names
   */
  public static WaitMode of(String id) {
    for (WaitMode mode : values()) {
      if (mode.id().equals(id)) {
        return mode;
      }
    }
    throw new IllegalArgumentException("unknown wait mode '" + id + "': use one of " + ids());
  }

  /** All names, for messages. */
  static String ids() {
    return Arrays.stream(values()).map(WaitMode::id).collect(Collectors.joining(", "));
  }
}
