package dev.ringside.thrift.internal.habits;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * Records whether one method returns at once or blocks, and decides whether its next request runs
 * where it was read or is handed off.
 *
 * <p>A method begins as quick. Elapsed time proves nothing, because on a busy machine a quick call
 * may wait for a processor. Evidence is that the watchdog found a call waiting, or that calls used
 * more CPU time than the limit on average. Such a method is handed off for a number of calls that
 * doubles each time, and then tried inline again. A method that blocks in one call of a hundred
 * stays handed off, and a trial costs at most one promotion.
 *
 * <p>Many threads record at the same time without locks: a lost update only delays a decision.
 */
public final class MethodHabits {
  private static final long HOOK_LIMIT_NANOS = TimeUnit.MICROSECONDS.toNanos(250);
  private static final int MIN_PROBATION = 256;
  private static final int MAX_PROBATION = 1 << 16;

  /**
   * The largest weight of one call, in limits, so that one pause of the machine decides nothing.
   */
  private static final int MAX_WEIGHT = 8;

  /** How often a slow method must have been seen waiting, by chance, before it is handed off. */
  private static final int MIN_SIGHTINGS = 2;

  /**
   * How often a call must have held a loop for long without waiting in Java: maybe in a system
   * call.
   */
  private static final int MIN_LONG_RUNS = 3;

  /** Number of inline calls after which a method counts as quick. */
  private static final int PROOF = 16;

  /** Number of inline calls after which old evidence is forgotten. */
  private static final int MEMORY = 1 << 14;

  private final byte[] name;
  private final String text;
  private final long limitNanos;
  private long meanNanos;
  private long meanCpuNanos;
  private int sightings;
  private int longRuns;
  private int inlineCalls;
  private boolean proven;
  private boolean called;
  private int probation;
  private int probationLength = MIN_PROBATION;
  private int replyBytes;
  private volatile boolean handOff;

  /**
   * Creates the habits of a server's hooks, which run where they are called even if every request
   * is handed off.
   */
  public static MethodHabits ofHooks(long limitNanos) {
    return new MethodHabits(new byte[0], Math.max(HOOK_LIMIT_NANOS, limitNanos));
  }

  public MethodHabits(byte[] name, long limitNanos) {
    this.name = name;
    this.text = new String(name, StandardCharsets.UTF_8);
    this.limitNanos = limitNanos;
    if (limitNanos == 0) {
      probation = Integer.MAX_VALUE;
      handOff = true;
    }
  }

  /** Returns the method's name; empty if several methods share these habits. */
  public String name() {
    return text;
  }

  /** Reports whether the next call should be handed off. */
  public boolean handOff() {
    return handOff;
  }

  /** Reports whether it has been quick for some calls, so that the next one is expected to be. */
  public boolean isProven() {
    return proven;
  }

  /**
   * Reports whether the next inline call should be measured in CPU time as well, which costs a
   * system call.
   */
  public boolean isSuspicious() {
    return meanNanos > limitNanos / 2;
  }

  /**
   * Records a call that ran on the thread that reads.
   *
   * @param nanos elapsed time
   * @param cpuNanos CPU time, negative if it was not measured
   */
  public void ranInline(long nanos, long cpuNanos) {
    called = true;
    meanNanos = average(meanNanos, nanos);
    if (cpuNanos >= 0) {
      meanCpuNanos = average(meanCpuNanos, cpuNanos);
    }
    if (++inlineCalls == PROOF && meanNanos <= limitNanos) {
      proven = true;
    } else if (inlineCalls > MEMORY) {
      inlineCalls = 0;
      longRuns = 0;
      sightings = 0;
      probationLength = Math.max(MIN_PROBATION, probationLength / 2);
    }
    if (meanCpuNanos > limitNanos || meanNanos > limitNanos && sightings >= MIN_SIGHTINGS) {
      beginProbation();
    }
  }

  /** Records a call that was handed off. */
  public void ranHandedOff(long nanos) {
    called = true;
    meanNanos = average(meanNanos, nanos);
    if (limitNanos > 0 && --probation <= 0) {
      meanCpuNanos = 0;
      handOff = false;
    }
  }

  /**
   * Reports whether its calls have ended soon on average, wherever they ran: what made it handed
   * off may have been an exception, such as that its classes were loaded.
   */
  public boolean endsSoon() {
    return called && meanNanos < limitNanos;
  }

  /** Records the size of a reply. */
  public void replied(int bytes) {
    replyBytes = Math.max(bytes, replyBytes - (replyBytes + 15) / 16);
  }

  /**
   * Returns the size to expect of a reply: that of the largest one, less with every smaller one.
   */
  public int replyBytes() {
    return replyBytes;
  }

  /** Records that the watchdog saw an inline call waiting, which need not be for long. */
  public void seenWaiting() {
    sightings++;
  }

  /** Records that an inline call waited for so long that it cost its thread the loop. */
  public void caughtBlocking() {
    beginProbation();
  }

  /** Records that an inline call cost its thread the loop although it was not seen waiting. */
  public void caughtRunning() {
    if (++longRuns >= MIN_LONG_RUNS) {
      beginProbation();
    }
  }

  private void beginProbation() {
    if (!handOff) {
      probation = probationLength;
      probationLength = Math.min(MAX_PROBATION, 2 * probationLength);
      longRuns = 0;
      sightings = 0;
      inlineCalls = 0;
      proven = false;
      handOff = true;
    }
  }

  public boolean matches(byte[] bytes, int from, int to) {
    int length = to - from;
    if (length != name.length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (name[i] != bytes[from + i]) {
        return false;
      }
    }
    return true;
  }

  private long average(long mean, long nanos) {
    long counted = Math.min(nanos, MAX_WEIGHT * limitNanos);
    return mean + (counted - mean) / 16;
  }
}
