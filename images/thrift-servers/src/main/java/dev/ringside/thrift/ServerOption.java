package dev.ringside.thrift;

import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/**
 * The options of {@link TDisruptorServer} that are numbers or words: what each is called, what it
 * may be, and what it is if nobody says. {@link DisruptorArgs} has them from here, and so has who
 * reads them from a file or the environment, for whom {@link #set} takes them as text.
 *
 * <p>What an option means and costs is said at its setter. A constant's name is the option's in the
 * environment; {@link #id()} is the same as in YAML. Those of times have their unit in the name.
 */
public enum ServerOption {
  /** {@link DisruptorArgs#selectors}. */
  SELECTORS(
      1,
      Integer.MAX_VALUE,
      Runtime.getRuntime().availableProcessors(),
      (args, value) -> args.selectors(value.intValue())),
  /** {@link DisruptorArgs#maxWorkers}. */
  WORKERS(1, Integer.MAX_VALUE, 64, (args, value) -> args.maxWorkers(value.intValue())),
  /** {@link DisruptorArgs#minWorkers}. */
  MIN_WORKERS(0, Integer.MAX_VALUE, 0, (args, value) -> args.minWorkers(value.intValue())),
  /** {@link DisruptorArgs#ringSize}. */
  RING_SIZE(1, 1 << 30, 1024, (args, value) -> args.ringSize(value.intValue())),
  /** {@link DisruptorArgs#waitMode}. */
  WAIT_MODE,
  /** {@link DisruptorArgs#maxFrameBytes}. */
  MAX_FRAME_BYTES(
      1, Integer.MAX_VALUE, 16_384_000, (args, value) -> args.maxFrameBytes(value.intValue())),
  /** {@link DisruptorArgs#maxReadBufferBytes}. */
  MAX_READ_BUFFER_BYTES(
      1, Long.MAX_VALUE, 256L << 20, (args, value) -> args.maxReadBufferBytes(value)),
  /** {@link DisruptorArgs#maxConnections}. */
  MAX_CONNECTIONS(
      1,
      Integer.MAX_VALUE,
      Integer.MAX_VALUE,
      (args, value) -> args.maxConnections(value.intValue())),
  /** {@link DisruptorArgs#idleTimeout}, in ms. */
  IDLE_TIMEOUT_MS(0, 0, (args, value) -> args.idleTimeout(value, TimeUnit.MILLISECONDS)),
  /** {@link DisruptorArgs#stallTimeout}, in ms. */
  STALL_TIMEOUT_MS(0, 30_000, (args, value) -> args.stallTimeout(value, TimeUnit.MILLISECONDS)),
  /** {@link DisruptorArgs#stopTimeout}, in ms. */
  STOP_TIMEOUT_MS(0, 5_000, (args, value) -> args.stopTimeout(value, TimeUnit.MILLISECONDS)),
  /** {@link DisruptorArgs#inlineLimit}, in µs. */
  INLINE_LIMIT_US(0, 250, (args, value) -> args.inlineLimit(value, TimeUnit.MICROSECONDS)),
  /** {@link DisruptorArgs#blockedAfter}, in µs. */
  BLOCKED_AFTER_US(1, 1_000, (args, value) -> args.blockedAfter(value, TimeUnit.MICROSECONDS)),
  /** {@link DisruptorArgs#linger}, in ms. */
  LINGER_MS(0, 10_000, (args, value) -> args.linger(value, TimeUnit.MILLISECONDS));

  private final boolean word;
  private final long least;
  private final long most;
  private final long otherwise;
  private final BiConsumer<DisruptorArgs<?>, Long> setter;

  /** The one that is a word. */
  ServerOption() {
    this.word = true;
    this.least = 0;
    this.most = 0;
    this.otherwise = 0;
    this.setter = null;
  }

  /** A time. */
  ServerOption(long least, long otherwise, BiConsumer<DisruptorArgs<?>, Long> setter) {
    this(least, Long.MAX_VALUE, otherwise, setter);
  }

  /** A number; one that is larger than it may be counts as the largest. */
  ServerOption(long least, long most, long otherwise, BiConsumer<DisruptorArgs<?>, Long> setter) {
    this.word = false;
    this.least = least;
    this.most = most;
    this.otherwise = otherwise;
    this.setter = setter;
  }

  /** The name in camel case, such as {@code ringSize}. */
  public String id() {
    String[] words = name().toLowerCase(Locale.ROOT).split("_");
    return words[0]
        + Arrays.stream(words)
            .skip(1)
            .map(word -> word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1))
            .collect(Collectors.joining());
  }

  /** What it may be, in words that follow "give". */
  public String needed() {
    return word ? "one of " + WaitMode.ids() : "a whole number from " + least + " up";
  }

  /** What a number is if nobody says, in the name's unit. */
  public long otherwise() {
    return otherwise;
  }

  /**
   * Sets it from text.
   *
   * @throws IllegalArgumentException with one line that names the option, what it was and what it
   *     may be
   */
  public void set(DisruptorArgs<?> args, String text) {
    try {
      if (word) {
        args.waitMode(WaitMode.of(text));
      } else {
        setter.accept(args, checked(Long.parseLong(text)));
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(id() + " is '" + text + "': give " + needed(), e);
    }
  }

  /**
   * The number, or the largest that the option may be.
   *
   * @throws IllegalArgumentException with one line if it is too small
   */
  long checked(long value) {
    if (value < least) {
      throw new IllegalArgumentException(id() + " is " + value + ": give at least " + least);
    }
    return Math.min(value, most);
  }

  /** Like {@link #checked} for options that fit an int. */
  int checkedInt(long value) {
    return Math.toIntExact(checked(value));
  }

  /** Like {@link #otherwise()} for options that fit an int. */
  int otherwiseInt() {
    return Math.toIntExact(otherwise);
  }
}
