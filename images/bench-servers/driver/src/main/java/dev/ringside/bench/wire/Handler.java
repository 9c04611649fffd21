package dev.ringside.bench.wire;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * What a server's handler does. Each kind is a method of the service, as in a real one, where
 * methods differ by what they do; the request's payload says how long this very call takes.
 */
public enum Handler {
  /** Answers at once. */
  AT_ONCE("at-once", "echo", Delay.NONE, 0, 0),
  /** 100 µs of CPU. */
  CPU("cpu-100us", "burn", Delay.CPU_100_US, 1, 1),
  /** Sleeps for 1 ms. */
  SLEEP("sleep-1ms", "nap", Delay.SLEEP_1_MS, 1, 1),
  /** One request in a hundred, at random, sleeps for 20 ms, the others answer at once. */
  MIXED("1pct-20ms", "mixed", Delay.SLEEP_20_MS, 0.01, 0.01),
  /** Waits in a socket for a process that answers after 1 ms, as one does that asks a store. */
  SOCKET("socket-1ms", "ask", Delay.SOCKET_1_MS, 1, 1),
  /**
   * Answers at once until half of the measured window is over, and from then on sleeps for 1 ms.
   */
  TURNS_SLOW("turns-slow", "turn", Delay.SLEEP_1_MS, 0, 1);

  private final String id;
  private final String method;
  private final Delay delay;
  private final double share;
  private final double shareTurned;

  Handler(String id, String method, Delay delay, double share, double shareTurned) {
    this.id = id;
    this.method = method;
    this.delay = delay;
    this.share = share;
    this.shareTurned = shareTurned;
  }

  /** The name that users write. */
  public String id() {
    return id;
  }

  /** The method that is called. */
  public String method() {
    return method;
  }

  /**
   * What the next call shall do.
   *
   * @param turned whether half of the measured window is over
   */
  public Delay next(SplittableRandom random, boolean turned) {
    double now = turned ? shareTurned : share;
    if (now == 0 || now < 1 && random.nextDouble() >= now) {
      return Delay.NONE;
    }
    return delay;
  }

  /** Whether its calls change in the middle of a measured window. */
  public boolean turns() {
    return share != shareTurned;
  }

  /** Whether its calls ask another process, which the server must have been told of. */
  public boolean asksPeer() {
    return delay == Delay.SOCKET_1_MS;
  }

  /**
   * The handler of that name.
   *
   * @throws IllegalArgumentException with a line that lists the valid names
   */
  public static Handler of(String id) {
    for (Handler handler : values()) {
      if (handler.id.equals(id)) {
        return handler;
      }
    }
    throw new IllegalArgumentException(
        "unknown handler '"
            + id
            + "': use one of "
            + Arrays.stream(values()).map(Handler::id).collect(Collectors.joining(", ")));
  }
}
