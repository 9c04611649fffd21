package dev.ringside.bench.wire;

/** Lists the durations of a call. The ordinal is the first byte of the request's payload. */
public enum Delay {
  /** No delay. */
  NONE,
  /** 100 µs of CPU time. */
  CPU_100_US,
  /** Sleeps for 1 ms. */
  SLEEP_1_MS,
  /** Sleeps for 20 ms. */
  SLEEP_20_MS,
  /** Waits 1 ms in a blocking read of a socket, until another process answers. */
  SOCKET_1_MS;

  private static final Delay[] ALL = values();

  /** Returns the delay of a payload's first byte. */
  public static Delay of(byte code) {
    return ALL[code];
  }

  /** Returns the first byte of a payload. */
  public byte code() {
    return (byte) ordinal();
  }
}
