package dev.ringside.thrift.internal.work;

import java.util.List;

/**
 * Implements the state machine of the server's threads: what each does, and which is woken for new
 * work. It has no threads, sockets or clocks of its own, so that it can be tested by itself, and is
 * not final, so that the tests can be tried on broken subclasses.
 *
 * <p>Every change of state happens under one lock, and the counts of all states are packed into one
 * word that changes with it. A publisher of work reads that word without the lock, and takes the
 * lock only if there is a thread to wake.
 *
 * <pre>
 *   start ─► SEARCHING ─ has looked ─► RUNNING ─► PARKED ─ woken ─► SEARCHING
 *                                         ▲ │
 *                          bytes, timeout │ ▼
 *                                       LINGERING ─ recalled ─► SEARCHING
 * </pre>
 *
 * <p>Invariant: if there is work, then a thread is searching, or all threads that could be woken
 * are busy (running threads check for more work when they have finished), or the watchdog knows of
 * it. It holds because each side publishes its own step before it reads the other's: a publisher
 * writes the work before it reads the word; a thread that stops searching or running writes the
 * word before it reads the work. No timer is needed to repair a missed step.
 */
public class Roster {
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
   * Creates a roster without threads.
   *
   * @param min number of threads that stay although they have nothing to do
   * @param max number of threads; urgent work may add more, which leave as soon as they have
   *     finished
   * @param enough number of searching threads beyond which no other is woken: each wakes the next
   *     if needed
   */
  public Roster(Work work, Staff staff, long min, long max, int enough) {
    this.work = work;
    this.staff = staff;
    this.min = (int) Math.min(Headcount.MOST, min);
    this.max = (int) Math.min(Headcount.MOST, max);
    this.enough = enough;
  }

  /** Wakes or starts a thread if needed. Called after work was published, from any thread. */
  public void wakeOne() {
    // A full fence: a thread that changes the state from now on sees what was published.
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
      boolean urgent = work.isUrgent();
      woken = lineup.wakeParked();
      if (woken == null && urgent && Headcount.threads(now) >= max) {
        woken = lineup.recall();
        from = WorkerState.LINGERING;
      }
      start = woken == null && Headcount.threads(now) < (urgent ? Headcount.MOST : max);
      if (start) {
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

  /** Records that a started thread runs. */
  public void begin(Duty duty) {
    synchronized (lock) {
      lineup.add(duty);
    }
  }

  /** Records that a thread could not be started. Another attempt follows later. */
  public void notStarted() {
    synchronized (lock) {
      count.thread(-1, WorkerState.SEARCHING);
    }
    staff.watch();
  }

  /**
   * Records that a thread has searched for work, whether it found some or not. A publisher may have
   * relied on it while it was searching, so it wakes the next thread if needed.
   */
  public void hasLooked(Duty duty) {
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

  /**
   * Parks a thread that has found no work: it must wait for as long as its state is PARKED.
   *
   * @return false if it must end instead, because all do or there are too many
   */
  public boolean park(Duty duty) {
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
   * @return false if it must not wait, because there is other work or there are too many threads
   */
  public boolean linger(Duty duty) {
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

  /**
   * Ends a thread's lingering; returns false if it was recalled and now searches for other work.
   */
  public boolean endLinger(Duty duty) {
    synchronized (lock) {
      if (duty.state() != WorkerState.LINGERING) {
        return false;
      }
      lineup.move(duty, WorkerState.RUNNING);
      return true;
    }
  }

  /** Returns false if there are too many threads; the caller has left then. Between connections. */
  public boolean mayStay(Duty duty) {
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

  /** Returns true if a thread that was parked for long may leave; it has left then. */
  public boolean leaveIfIdle(Duty duty) {
    synchronized (lock) {
      if (duty.state() != WorkerState.PARKED || Headcount.threads(count.get()) <= min) {
        return false;
      }
      lineup.remove(duty);
      return true;
    }
  }

  /**
   * Records that a thread has failed, wherever it was, and searches for work again; returns false
   * if it has left and must end.
   */
  public boolean failed(Duty duty) {
    synchronized (lock) {
      if (!lineup.contains(duty)) {
        return false;
      }
      lineup.searchAgain(duty);
      return true;
    }
  }

  /** Records that a thread ends, for any reason. Does nothing if it has left already. */
  public void leave(Duty duty) {
    synchronized (lock) {
      if (!lineup.remove(duty)) {
        return;
      }
    }
    passOn();
  }

  /**
   * Reports whether work waits although a thread could be used that {@link #wakeOne()} did not use:
   * one that lingers, which is left alone for a moment because another that has just finished may
   * come, or one that could not be started.
   */
  public boolean lacksThreads() {
    long seen = count.get();
    return Headcount.parked(seen) == 0
        && Headcount.searching(seen) == 0
        && (Headcount.lingering(seen) > 0 || Headcount.threads(seen) < max || work.isUrgent())
        && work.exists();
  }

  /** Recalls or starts the thread that {@link #lacksThreads()} reports. */
  public void relieve() {
    Duty recalled;
    synchronized (lock) {
      recalled = lineup.recall();
    }
    if (recalled == null) {
      wakeOne();
    } else {
      recalled.wake(WorkerState.LINGERING);
    }
  }

  /** Wakes all waiting threads, so that they check for work. */
  public void wakeAll() {
    List<Duty> woken;
    synchronized (lock) {
      woken = lineup.moveWaiting();
    }
    // One call for each way to wait; the other does no harm.
    woken.forEach(duty -> duty.wake(WorkerState.PARKED));
    woken.forEach(duty -> duty.wake(WorkerState.LINGERING));
  }

  /** Lets every thread end that finds no more work. */
  public void end() {
    synchronized (lock) {
      ended = true;
    }
    wakeAll();
  }

  public boolean isOverLimit() {
    return Headcount.threads(count.get()) > max;
  }

  public int threads() {
    return Headcount.threads(count.get());
  }

  public int searching() {
    return Headcount.searching(count.get());
  }

  public int parked() {
    return Headcount.parked(count.get());
  }

  public int lingering() {
    return Headcount.lingering(count.get());
  }
}
