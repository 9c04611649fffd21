package dev.ringside.load;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** How one load is switched between several servers, read from the environment. */
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

  /** Reads them; what is wrong is noted in the source. */
  Interleaving(OrderSource in, int seconds, int threads) {
    readArms(in);
    windowMillis = in.number("RINGSIDE_WINDOW_MILLIS", 1, 1_000);
    leadInMillis = in.number("RINGSIDE_LEAD_IN_MILLIS", 0, 0);
    int warmupSeconds = in.number("RINGSIDE_WARMUP_SECONDS", 0, 10);
    seed = in.seed("RINGSIDE_SEED");
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
      // The tags of the log and the names of the summary are made of it.
      if (!name.matches("[A-Za-z0-9][A-Za-z0-9-]*")) {
        in.refuse(ARMS + " has '" + text + "': write arm=host:port,host:port;arm=host:port");
      } else if (!names.add(name)) {
        in.refuse(ARMS + " has '" + name + "' twice");
      } else {
        arms.add(new Arm(name, in.endpoints(ARMS, text.substring(equals + 1))));
      }
    }
  }

  /** Before which blocks connections are opened anew; what makes no sense is noted and left out. */
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

  /** In the order of the document. */
  public List<Arm> arms() {
    return arms;
  }

  /** The arm that plays in every duet, by its place; -1 for one arm at a time. */
  public int baseline() {
    return baseline;
  }

  /** How long operations begin in a window. */
  public long windowNanos() {
    return TimeUnit.MILLISECONDS.toNanos(windowMillis);
  }

  /** How long operations begin that count nowhere, right before each window; 0 for not at all. */
  long leadInNanos() {
    return TimeUnit.MILLISECONDS.toNanos(leadInMillis);
  }

  /** The order of the windows that are logged. */
  public List<Slot> measured() {
    return Schedule.of(arms, baseline, blocks, seed);
  }

  /** The same, cut where connections are opened anew. */
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

  /** Whether connections are opened anew between windows. */
  boolean reconnects() {
    return !reconnects.isEmpty();
  }

  /** The order of the windows before them: another stream of the same seed. */
  public List<Slot> warmup() {
    return Schedule.of(arms, baseline, warmupBlocks, ~seed);
  }

  /** What all chance in the load comes from. */
  public long seed() {
    return seed;
  }

  /** The counters ports of the store's pods; none where the store does not tell what it used. */
  public List<Endpoint> counters() {
    return counters;
  }
}
