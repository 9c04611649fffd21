package dev.ringside.bench.wire;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Lists the kinds of handler. Each kind is a method of the service, as in a real service, in which
 * methods differ by their work. The request's payload contains the duration of this call.
 */
public enum Handler {
  /** Answers at once. */
  AT_ONCE("at-once", "echo", Delay.NONE, 0, 0),
  /** Answers a payload of 64 KB at once. */
  AT_ONCE_64K("at-once-64k", "echo64k", Delay.NONE, 0, 0, 64 << 10),
  /** Answers a payload of 1 MB at once. */
  AT_ONCE_1M("at-once-1m", "echo1m", Delay.NONE, 0, 0, 1 << 20),
  /** Uses 100 µs of CPU time. */
  CPU("cpu-100us", "burn", Delay.CPU_100_US, 1, 1),
  /** Sleeps for 1 ms. */
  SLEEP("sleep-1ms", "nap", Delay.SLEEP_1_MS, 1, 1),
  /** Sleeps for 20 ms in 1% of the requests, at random; answers the others at once. */
  MIXED("1pct-20ms", "mixed", Delay.SLEEP_20_MS, 0.01, 0.01),
  /** Waits in a socket for a process that answers after 1 ms, as a client of a store does. */
  SOCKET("socket-1ms", "ask", Delay.SOCKET_1_MS, 1, 1),
  /** Answers at once in the first half of the measured window, then sleeps for 1 ms. */
  TURNS_SLOW("turns-slow", "turn", Delay.SLEEP_1_MS, 0, 1);

  private static final int SMALL_BYTES = 100;

  private final String id;
  private final String method;
  private final Delay delay;
  private final double share;
  private final double shareTurned;
  private final int payloadBytes;

  Handler(String id, String method, Delay delay, double share, double shareTurned) {
    this(id, method, delay, share, shareTurned, SMALL_BYTES);
  }

  Handler(
      String id, String method, Delay delay, double share, double shareTurned, int payloadBytes) {
    this.id = id;
    this.method = method;
    this.delay = delay;
    this.share = share;
    this.shareTurned = shareTurned;
    this.payloadBytes = payloadBytes;
  }

  /** Returns the name that users write. */
  public String id() {
    return id;
  }

  /** Returns the method that is called. */
  public String method() {
    return method;
  }

  /** Returns the bytes of each request's payload, and of each reply's. */
  public int payloadBytes() {
    return payloadBytes;
  }

  /** Reports whether all its calls are answered at once. */
  public boolean isAtOnce() {
    return delay == Delay.NONE;
  }

  /** Returns the duration of the calls that are not answered at once. */
  public Delay delay() {
    return delay;
  }

  /**
   * Returns the share of calls with this duration, 0 to 1.
   *
   * @param turned whether half of the measured window is over
   */
  public double share(boolean turned) {
    return turned ? shareTurned : share;
  }

  /** Reports whether its calls change in the middle of a measured window. */
  public boolean turns() {
    return share != shareTurned;
  }

  /** Reports whether its calls need a peer process, whose port the server must know. */
  public boolean asksPeer() {
    return delay == Delay.SOCKET_1_MS;
  }

  /**
   * Returns the handler with a name.
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
