package dev.ringside.load;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** How one load alternates between several servers, read from the environment. */
public final class Interleaving {
  static final String ARMS = "RINGSIDE_ARMS";

  static final String COUNTERS = "RINGSIDE_COUNTERS";

  static final String RECONNECT = "RINGSIDE_RECONNECT_BLOCKS";
  private static final String WINDOWS = "windows";
  private static final String DUET = "duet";
  private static final int LEAST_BLOCKS = 2;

  private final List<Arm> arms = new ArrayList<>();
  private final int baseline;
  private final int windowMillis;
  private final int leadInMillis;
  private final int blocks;
  private final int warmupBlocks;
  private final long seed;
  private final List<Endpoint> counters;
  private final List<Integer> reconnects;

  /** Reads the settings. Errors are added to the source. */
  Interleaving(OrderSource in, int seconds, int threads, long seed) {
    this.seed = seed;
    readArms(in);
    windowMillis = in.number("RINGSIDE_WINDOW_MILLIS", 1, 1_000);
    leadInMillis = in.number("RINGSIDE_LEAD_IN_MILLIS", 0, 0);
    int warmupSeconds = in.number("RINGSIDE_WARMUP_SECONDS", 0, 10);
    counters = in.has(COUNTERS) ? in.endpoints(COUNTERS) : Collections.emptyList();
    boolean duet =
        DUET.equals(in.oneOf("RINGSIDE_INTERLEAVE", WINDOWS, Arrays.asList(WINDOWS, DUET)));
    baseline = duet ? baseline(in) : -1;
    if (duet && threads % 2 != 0) {
      in.refuse(
          "RINGSIDE_THREADS is '" + threads + "': a duet needs an even number, half for each side");
    }
    if (in.has("RINGSIDE_ENDPOINTS")) {
      in.refuse("set one of " + ARMS + " and RINGSIDE_ENDPOINTS");
    }
    if (arms.size() < 2) {
      in.refuse(ARMS + " has " + arms.size() + ": give two arms or more");
    }
    long blockMillis =
        ((long) windowMillis + leadInMillis) * Math.max(1, duet ? arms.size() - 1 : arms.size());
    blocks = (int) (TimeUnit.SECONDS.toMillis(seconds) / blockMillis);
    warmupBlocks = (int) roundUp(TimeUnit.SECONDS.toMillis(warmupSeconds), blockMillis);
    if (blocks < LEAST_BLOCKS) {
      in.refuse(
          String.format(
              "RINGSIDE_DURATION_SECONDS is %d, which is %d of the %d blocks of %d ms that are"
                  + " needed at least: give it %d or more",
              seconds,
              blocks,
              LEAST_BLOCKS,
              blockMillis,
              roundUp(LEAST_BLOCKS * blockMillis, TimeUnit.SECONDS.toMillis(1))));
    }
    reconnects = reconnects(in);
  }

  private static long roundUp(long of, long by) {
    return (of + by - 1) / by;
  }

  private void readArms(OrderSource in) {
    Set<String> names = new HashSet<>();
    for (String text : in.text(ARMS, "").split(";", -1)) {
      int equals = text.indexOf('=');
      String name = text.substring(0, Math.max(0, equals)).trim();
      // The name becomes part of the log's tags and of the names in the summary.
      if (!name.matches("[A-Za-z0-9][A-Za-z0-9-]*")) {
        in.refuse(ARMS + " has '" + text + "': write arm=host:port,host:port;arm=host:port");
      } else if (!names.add(name)) {
        in.refuse(ARMS + " has '" + name + "' twice");
      } else {
        arms.add(new Arm(name, in.endpoints(ARMS, text.substring(equals + 1))));
      }
    }
  }

  /**
   * Returns the blocks before which connections are reopened. An invalid value is reported and left
   * out.
   */
  private List<Integer> reconnects(OrderSource in) {
    List<Integer> before = new ArrayList<>();
    if (!in.has(RECONNECT)) {
      return before;
    }
    int least = 1;
    for (String text : in.text(RECONNECT, "").split(",", -1)) {
      int block = text.trim().matches("[0-9]{1,9}") ? Integer.parseInt(text.trim()) : 0;
      if (block < least || block >= blocks) {
        in.refuse(
            String.format(
                "%s has '%s': name blocks after the first of %d, in their order, as in 1,2",
                RECONNECT, text, blocks));
      } else {
        before.add(block);
        least = block + 1;
      }
    }
    return before;
  }

  private int baseline(OrderSource in) {
    String name = in.text("RINGSIDE_BASELINE", "");
    for (int i = 0; i < arms.size(); i++) {
      if (arms.get(i).name().equals(name)) {
        return i;
      }
    }
    in.refuse("RINGSIDE_BASELINE is '" + name + "': a duet needs one of the arms");
    return 0;
  }

  /** Returns the arms, in the order of the experiment file. */
  public List<Arm> arms() {
    return arms;
  }

  /** Returns the index of the arm that is part of every duet; -1 for one arm at a time. */
  public int baseline() {
    return baseline;
  }

  /** Returns the length of a window, in nanoseconds: operations begin during this time. */
  public long windowNanos() {
    return TimeUnit.MILLISECONDS.toNanos(windowMillis);
  }

  /**
   * Returns the length of the lead-in before each window, in nanoseconds; 0 for none. Its
   * operations are not counted.
   */
  long leadInNanos() {
    return TimeUnit.MILLISECONDS.toNanos(leadInMillis);
  }

  /** Returns the order of the measured windows. */
  public List<Slot> measured() {
    return Schedule.of(arms, baseline, blocks, seed);
  }

  /** Returns the order of the measured windows, split where connections are reopened. */
  List<List<Slot>> pieces() {
    List<Slot> slots = measured();
    int block = slots.size() / blocks;
    List<List<Slot>> pieces = new ArrayList<>();
    int from = 0;
    for (int before : reconnects) {
      pieces.add(slots.subList(from, before * block));
      from = before * block;
    }
    pieces.add(slots.subList(from, slots.size()));
    return pieces;
  }

  /** Reports whether connections are reopened between windows. */
  boolean reconnects() {
    return !reconnects.isEmpty();
  }

  /**
   * Returns the order of the warm-up windows. It comes from another random stream of the same seed.
   */
  public List<Slot> warmup() {
    return Schedule.of(arms, baseline, warmupBlocks, ~seed);
  }

  /**
   * Returns the counters ports of the store's pods; empty if the store does not report its usage.
   */
  public List<Endpoint> counters() {
    return counters;
  }
}
