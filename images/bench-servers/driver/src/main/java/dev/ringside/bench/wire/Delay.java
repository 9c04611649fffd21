package dev.ringside.bench.wire;

/** How long one call takes; its ordinal is the first byte of the request's payload. */
public enum Delay {
  /** Not at all. */
  NONE,
  /** 100 µs of CPU. */
  CPU_100_US,
  /** 1 ms asleep. */
  SLEEP_1_MS,
  /** 20 ms asleep. */
  SLEEP_20_MS,
  /** 1 ms in a blocking read of a socket, until another process answers. */
  SOCKET_1_MS;

  private static final Delay[] ALL = values();

  /** The delay that a payload begins with. */
  public static Delay of(byte code) {
    return ALL[code];
  }

  /** The first byte of a payload. */
  public byte code() {
    return (byte) ordinal();
  }
}
