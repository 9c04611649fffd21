package dev.ringside.thrift;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * What is known of one method: does it return at once, or does it block? Decides whether its next
 * request runs where its bytes were read or is handed off.
 *
 * <p>A method begins as a quick one. How long its calls take on the clock proves nothing, because
 * on a busy machine a quick call may wait for a processor. What counts is that the watchdog found a
 * call waiting, or that calls used more CPU time than the limit on average. Such a method is handed
 * off for a number of calls that doubles each time, and then tried inline again: one that blocks
 * one call in a hundred stays handed off, and a trial costs one promotion at most.
 *
 * <p>Many threads record at once and without locks: a lost update only delays a decision.
 */
final class MethodHabits {
  private static final long HOOK_LIMIT_NANOS = TimeUnit.MICROSECONDS.toNanos(250);
  private static final int MIN_PROBATION = 256;
  private static final int MAX_PROBATION = 1 << 16;

  /**
   * One call counts as at most this many limits, so that one pause of the machine decides nothing.
   */
  private static final int MAX_WEIGHT = 8;

  /** How often a slow method must have been seen waiting, by chance, before it is handed off. */
  private static final int MIN_SIGHTINGS = 2;

  /**
   * How often a call must have held a loop for long without waiting in Java: maybe in a system
   * call.
   */
  private static final int MIN_LONG_RUNS = 3;

  /** Inline calls after which a method is known to be quick, mostly. */
  private static final int PROOF = 16;

  /** Calls that count when another method wants the place in the table. */
  private static final int MAX_STANDING = 1 << 10;

  /** Inline calls after which old evidence is forgotten. */
  private static final int MEMORY = 1 << 14;

  private final byte[] name;
  private final int hash;
  private final long limitNanos;
  private int standing;
  private long meanNanos;
  private long meanCpuNanos;
  private int sightings;
  private int longRuns;
  private int inlineCalls;
  private boolean proven;
  private int probation;
  private int probationLength = MIN_PROBATION;
  private volatile boolean handOff;

  /** Null if nobody wants to know. */
  private volatile MethodCounts counts;

  /**
   * Those of a server's hooks, which run where they are called even if every request is handed off.
   */
  static MethodHabits ofHooks(long limitNanos) {
    return new MethodHabits(new byte[0], 0, Math.max(HOOK_LIMIT_NANOS, limitNanos));
  }

  MethodHabits(byte[] name, int hash, long limitNanos) {
    this.name = name;
    this.hash = hash;
    this.limitNanos = limitNanos;
    if (limitNanos == 0) {
      probation = Integer.MAX_VALUE;
      handOff = true;
    }
  }

  /** Where to count its calls; null for nowhere. */
  MethodCounts counts() {
    return counts;
  }

  /** Has its calls counted there from now on. */
  void countIn(MethodCounts value) {
    counts = value;
  }

  /** The name as text. */
  String name() {
    return new String(name, StandardCharsets.UTF_8);
  }

  /** Whether the next call should be handed off. */
  boolean handOff() {
    return handOff;
  }

  /** Whether it has been quick for some calls, so that the next one is expected to be. */
  boolean isProven() {
    return proven;
  }

  /**
   * Whether the next inline call should be measured in CPU time as well, which costs a system call.
   */
  boolean isSuspicious() {
    return meanNanos > limitNanos / 2;
  }

  /**
   * Records a call that ran on the thread that reads.
   *
   * @param nanos time on the clock
   * @param cpuNanos CPU time, negative if it was not measured
   */
  void ranInline(long nanos, long cpuNanos) {
    called();
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
  void ranHandedOff(long nanos) {
    called();
    meanNanos = average(meanNanos, nanos);
    if (limitNanos > 0 && --probation <= 0) {
      meanCpuNanos = 0;
      handOff = false;
    }
  }

  private void called() {
    if (standing < MAX_STANDING) {
      standing++;
    }
  }

  /** Halves what the method has earned by being called; another wants its place in the table. */
  void forget() {
    standing /= 2;
  }

  /** Whether its place in the table may go to another. */
  boolean isForgotten() {
    return standing == 0;
  }

  /** Records that the watchdog saw an inline call waiting, which need not be for long. */
  void seenWaiting() {
    sightings++;
  }

  /** Records that an inline call waited for so long that it cost its thread the loop. */
  void caughtBlocking() {
    beginProbation();
  }

  /** Records that an inline call cost its thread the loop though it was not seen waiting. */
  void caughtRunning() {
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

  boolean matches(byte[] bytes, int from, int to) {
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

  boolean matches(int otherHash, byte[] bytes, int from, int to) {
    return hash == otherHash && matches(bytes, from, to);
  }

  private long average(long mean, long nanos) {
    long counted = Math.min(nanos, MAX_WEIGHT * limitNanos);
    return mean + (counted - mean) / 16;
  }

  @Override
  public String toString() {
    return name() + (handOff ? " handed off, " : " inline, ") + meanNanos + " ns";
  }
}
