package dev.ringside.thrift;

import java.util.List;

/**
 * The state machine of the server's threads: who does what, and who is woken for new work. It has
 * no threads, sockets or clocks of its own, so that it can be checked by itself, and is not final,
 * so that the checks can be tried on broken ones.
 *
 * <p>Every change of state happens under one lock, and the counts of all states are packed into one
 * word that changes with it. Who publishes work reads that word without the lock, and takes the
 * lock only if there is somebody to wake.
 *
 * <pre>
 *   start ─► SEARCHING ─ has looked ─► RUNNING ─► PARKED ─ woken ─► SEARCHING
 *                                         ▲ │
 *                          bytes, timeout │ ▼
 *                                       LINGERING ─ recalled ─► SEARCHING
 * </pre>
 *
 * <p>What holds at all times: if there is work, then somebody is searching, or everybody who could
 * be woken is (those who run look for more when they have finished), or the watchdog knows of it.
 * It holds because both sides make their own step known before they look at the other's: who
 * publishes, the work before the word; who stops searching or stops running, the word before the
 * work. No timer is needed to mend what was missed.
 */
class Roster {
  private final Work work;
  private final Staff staff;
  private final int min;
  private final int max;
  private final int enough;

  private final Object lock = new Object();
  private final Lineup lineup = new Lineup();
  private final Headcount count = lineup.count();

  // Guarded by the lock, as the line-up is.
  private boolean ended;

  /**
   * @param min threads that stay though they have nothing to do
   * @param max threads; urgent work may cost more, which leave as soon as they have finished
   * @param enough searching threads beyond which nobody else is woken: each wakes the next if
   *     needed
   */
  Roster(Work work, Staff staff, long min, long max, int enough) {
    this.work = work;
    this.staff = staff;
    this.min = (int) Math.min(Headcount.MOST, min);
    this.max = (int) Math.min(Headcount.MOST, max);
    this.enough = enough;
  }

  /** To be called after work was published: sees to it that somebody comes. From any thread. */
  void wakeOne() {
    // A full fence: what was published is seen by whoever changes the word from now on.
    long seen = count.getFenced();
    if (Headcount.searching(seen) >= enough) {
      return;
    }
    if (Headcount.parked(seen) == 0 && Headcount.threads(seen) >= max && !work.isUrgent()) {
      if (Headcount.lingering(seen) > 0) {
        staff.watch();
      }
      return;
    }
    Duty woken = null;
    WorkerState from = WorkerState.PARKED;
    boolean start = false;
    synchronized (lock) {
      long now = count.get();
      if (Headcount.searching(now) >= enough) {
        return;
      }
      woken = lineup.pollParked();
      if (woken == null && Headcount.threads(now) >= max && work.isUrgent()) {
        woken = lineup.lingering();
        from = WorkerState.LINGERING;
        start = woken == null && Headcount.threads(now) < Headcount.MOST;
      } else if (woken == null) {
        start = Headcount.threads(now) < max;
      }
      if (woken != null) {
        lineup.move(woken, WorkerState.SEARCHING);
      } else if (start) {
        count.thread(1, WorkerState.SEARCHING);
      }
    }
    if (woken != null) {
      woken.wake(from);
    } else if (start) {
      staff.start();
    } else if (Headcount.lingering(count.get()) > 0) {
      staff.watch();
    }
  }

  /** A thread that was started is there. */
  void begin(Duty duty) {
    synchronized (lock) {
      lineup.add(duty);
    }
  }

  /** A thread could not be started. Not tried again at once, but not forgotten either. */
  void notStarted() {
    synchronized (lock) {
      count.thread(-1, WorkerState.SEARCHING);
    }
    staff.watch();
  }

  /**
   * To be called by a thread that has looked for work, found some or not. Whoever published while
   * it was searching has relied on it to wake the next.
   */
  void hasLooked(Duty duty) {
    if (duty.state() != WorkerState.SEARCHING) {
      return;
    }
    synchronized (lock) {
      lineup.move(duty, WorkerState.RUNNING);
    }
    passOn();
  }

  private void passOn() {
    if (work.exists()) {
      wakeOne();
    }
  }

  /** Has a thread without work search by itself, without being parked, if fewer than enough do. */
  boolean search(Duty duty) {
    synchronized (lock) {
      if (ended || isOneTooMany() || Headcount.searching(count.get()) >= enough) {
        return false;
      }
      lineup.move(duty, WorkerState.SEARCHING);
      return true;
    }
  }

  /**
   * Parks a thread that has found no work: it must wait for as long as its state is PARKED.
   *
   * @return false if it is to end instead: all do, or it is one too many
   */
  boolean park(Duty duty) {
    synchronized (lock) {
      if (ended || isOneTooMany()) {
        return false;
      }
      lineup.move(duty, WorkerState.PARKED);
    }
    passOn();
    return true;
  }

  /**
   * Lets a thread linger: it may wait for its own connection for as long as its state is LINGERING.
   *
   * @return false if it must not wait, because there is other work or it is one too many
   */
  boolean linger(Duty duty) {
    synchronized (lock) {
      if (ended || isOneTooMany()) {
        return false;
      }
      lineup.move(duty, WorkerState.LINGERING);
    }
    if (!work.exists()) {
      return true;
    }
    endLinger(duty);
    return false;
  }

  /** Ends a thread's lingering; false if it was recalled, and is on its way to other work. */
  boolean endLinger(Duty duty) {
    synchronized (lock) {
      if (duty.state() != WorkerState.LINGERING) {
        return false;
      }
      lineup.move(duty, WorkerState.RUNNING);
      return true;
    }
  }

  /** For a thread between two connections: false if there are too many. It has left then. */
  boolean mayStay(Duty duty) {
    if (!isOverLimit()) {
      return true;
    }
    synchronized (lock) {
      if (!isOneTooMany()) {
        return true;
      }
      lineup.remove(duty);
    }
    passOn();
    return false;
  }

  private boolean isOneTooMany() {
    return isOverLimit() && !work.isUrgent();
  }

  /** For a thread that has been parked for long: whether it may leave. It has left then. */
  boolean leaveIfIdle(Duty duty) {
    synchronized (lock) {
      if (duty.state() != WorkerState.PARKED || Headcount.threads(count.get()) <= min) {
        return false;
      }
      lineup.remove(duty);
      return true;
    }
  }

  /** A thread ends, for whatever reason; does nothing if it has left already. */
  void leave(Duty duty) {
    synchronized (lock) {
      if (!lineup.contains(duty)) {
        return;
      }
      lineup.remove(duty);
    }
    passOn();
  }

  /**
   * Whether work waits though somebody could be fetched whom {@link #wakeOne()} has not fetched: a
   * thread that lingers, which is left alone for a moment because one that has just finished is on
   * its way unseen; or one that could not be started.
   */
  boolean lacksThreads() {
    long seen = count.get();
    return Headcount.parked(seen) == 0
        && Headcount.searching(seen) == 0
        && (Headcount.lingering(seen) > 0 || Headcount.threads(seen) < max || work.isUrgent())
        && work.exists();
  }

  /** Fetches whom {@link #lacksThreads()} misses; true if that was one that lingered. */
  boolean relieve() {
    Duty recalled;
    synchronized (lock) {
      recalled = lineup.lingering();
      if (recalled != null) {
        lineup.move(recalled, WorkerState.SEARCHING);
      }
    }
    if (recalled == null) {
      wakeOne();
      return false;
    }
    recalled.wake(WorkerState.LINGERING);
    return true;
  }

  /** Makes everybody who waits look whether there is something to do. */
  void wakeAll() {
    List<Duty> woken;
    synchronized (lock) {
      woken = lineup.moveWaiting();
    }
    // One call for each way to wait; the other does no harm.
    woken.forEach(duty -> duty.wake(WorkerState.PARKED));
    woken.forEach(duty -> duty.wake(WorkerState.LINGERING));
  }

  /** Lets everybody end who finds nothing to do any more. */
  void end() {
    synchronized (lock) {
      ended = true;
    }
    wakeAll();
  }

  boolean isOverLimit() {
    return Headcount.threads(count.get()) > max;
  }

  int threads() {
    return Headcount.threads(count.get());
  }

  int searching() {
    return Headcount.searching(count.get());
  }

  int parked() {
    return Headcount.parked(count.get());
  }

  int lingering() {
    return Headcount.lingering(count.get());
  }
}
