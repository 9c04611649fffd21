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
  AT_ONCE("at-once", "echo", Delay.NONE, 0),
  /** 100 µs of CPU. */
  CPU("cpu-100us", "burn", Delay.CPU_100_US, 1),
  /** Sleeps for 1 ms. */
  SLEEP("sleep-1ms", "nap", Delay.SLEEP_1_MS, 1),
  /** One request in a hundred, at random, sleeps for 20 ms, the others answer at once. */
  MIXED("1pct-20ms", "mixed", Delay.SLEEP_20_MS, 0.01),
  /** Waits in a socket for a process that answers after 1 ms, as one does that asks a store. */
  SOCKET("socket-1ms", "ask", Delay.SOCKET_1_MS, 1);

  private final String id;
  private final String method;
  private final Delay delay;
  private final double share;

  Handler(String id, String method, Delay delay, double share) {
    this.id = id;
    this.method = method;
    this.delay = delay;
    this.share = share;
  }

  /** The name that users write. */
  public String id() {
    return id;
  }

  /** The method that is called. */
  public String method() {
    return method;
  }

  /** What the next call shall do. */
  public Delay next(SplittableRandom random) {
    if (share == 0 || share < 1 && random.nextDouble() >= share) {
      return Delay.NONE;
    }
    return delay;
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
