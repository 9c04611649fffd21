package dev.ringside.thrift;

import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/**
 * Lists the options of {@link TDisruptorServer} that are numbers, with name, limits and default.
 * {@link DisruptorArgs} takes its defaults from here. {@link #set} accepts text, for programs that
 * read options from a file or the environment.
 *
 * <p>The setter of {@link DisruptorArgs} documents meaning and cost. A constant's name is the
 * option's name in the environment, {@link #id()} its name in YAML. Names of times end in the unit.
 */
public enum ServerOption {
  /** {@link DisruptorArgs#selectors}. */
  SELECTORS(
      1,
      Math.max(16, 2 * Runtime.getRuntime().availableProcessors()),
      Runtime.getRuntime().availableProcessors(),
      (args, value) -> args.selectors(value.intValue())),
  /** {@link DisruptorArgs#maxWorkers}. */
  WORKERS(1, Integer.MAX_VALUE, 64, (args, value) -> args.maxWorkers(value.intValue())),
  /** {@link DisruptorArgs#minWorkers}. */
  MIN_WORKERS(0, Integer.MAX_VALUE, 0, (args, value) -> args.minWorkers(value.intValue())),
  /** {@link DisruptorArgs#ringSize}. */
  RING_SIZE(1, 1 << 20, 1024, (args, value) -> args.ringSize(value.intValue())),
  /** {@link DisruptorArgs#maxFrameBytes}. */
  MAX_FRAME_BYTES(
      1, Integer.MAX_VALUE, 16_384_000, (args, value) -> args.maxFrameBytes(value.intValue())),
  /** {@link DisruptorArgs#maxReadBufferBytes}. */
  MAX_READ_BUFFER_BYTES(
      1,
      Long.MAX_VALUE,
      Runtime.getRuntime().maxMemory() / 4,
      (args, value) -> args.maxReadBufferBytes(value)),
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

  private final long least;
  private final long most;
  private final long otherwise;

  @SuppressWarnings("ImmutableEnumChecker") // The lambdas above have no state.
  private final BiConsumer<DisruptorArgs<?>, Long> setter;

  /** Creates a time. */
  ServerOption(long least, long otherwise, BiConsumer<DisruptorArgs<?>, Long> setter) {
    this(least, Long.MAX_VALUE, otherwise, setter);
  }

  /** Creates a number. A value above the limit counts as the limit. */
  ServerOption(long least, long most, long otherwise, BiConsumer<DisruptorArgs<?>, Long> setter) {
    this.least = least;
    this.most = most;
    this.otherwise = otherwise;
    this.setter = setter;
  }

  /** Returns the name in camel case, such as {@code ringSize}. */
  public String id() {
    String[] words = name().toLowerCase(Locale.ROOT).split("_");
    return words[0]
        + Arrays.stream(words)
            .skip(1)
            .map(word -> word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1))
            .collect(Collectors.joining());
  }

  /** Returns which values are allowed, in words that follow "give". */
  public String needed() {
    return "a whole number from " + least + " up";
  }

  /** Returns a number's default, in the unit of the name. */
  public long otherwise() {
    return otherwise;
  }

  /**
   * Sets the option from text.
   *
   * @throws IllegalArgumentException with one line that names the option, the value and the allowed
   *     values
   */
  public void set(DisruptorArgs<?> args, String text) {
    try {
      setter.accept(args, checked(Long.parseLong(text)));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(id() + " is '" + text + "': give " + needed(), e);
    }
  }

  /** Sets the default. */
  void setDefault(DisruptorArgs<?> args) {
    setter.accept(args, otherwise);
  }

  /**
   * Returns the number, or the limit if the number is larger.
   *
   * @throws IllegalArgumentException with one line if the number is too small
   */
  long checked(long value) {
    if (value < least) {
      throw new IllegalArgumentException(id() + " is " + value + ": give at least " + least);
    }
    return Math.min(value, most);
  }

  /** Does the same as {@link #checked} for options that fit an int. */
  int checkedInt(long value) {
    return Math.toIntExact(checked(value));
  }
}
