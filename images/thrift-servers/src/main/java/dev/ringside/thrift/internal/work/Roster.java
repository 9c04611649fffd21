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
 *   start ─► RUNNING ─ no work ─► PARKED ─ woken ─► RUNNING
 *              ▲ │
 *      recalled, │ its connection
 * bytes, timeout │ ▼ is silent
 *            LINGERING
 * </pre>
 *
 * <p>Invariant: for each piece of work, its publisher has woken or started one thread, or every
 * thread runs that the limit allows, or the watchdog checks until the work is taken. A running
 * thread checks for work before it waits or ends, so the work is taken by the one that was woken or
 * by one that came first. No wake-up is lost because each side publishes its own step before it
 * reads the other's: a publisher writes the work before it reads the word; a thread that waits or
 * ends writes the word before it reads the work. No timer is needed to repair a missed step.
 */
public class Roster {
  private final Work work;
  private final Staff staff;
  private final int min;
  private final int max;

  private final Object lock = new Object();
  private final Lineup lineup = new Lineup();
  private final Headcount count = lineup.count();

  // Guarded by the lock, as the line-up is.
  private boolean ended;

  /** How many threads were started and have not begun. They are counted as running. */
  private int starting;

  /**
   * Creates a roster without threads.
   *
   * @param min number of threads that stay although they have nothing to do
   * @param max number of threads; urgent work may add more, which leave as soon as they have
   *     finished
   */
  public Roster(Work work, Staff staff, long min, long max) {
    this.work = work;
    this.staff = staff;
    this.min = (int) Math.min(Headcount.MOST, min);
    this.max = (int) Math.min(Headcount.MOST, max);
  }

  /** Wakes or starts a thread for work that was published. Called from any thread. */
  public void wakeOne() {
    fetch(false, false);
  }

  /** Does so for urgent work: recalls a thread that lingers, or starts one beyond the limit. */
  public void wakeUrgently() {
    fetch(true, false);
  }

  private void fetch(boolean urgent, boolean relieves) {
    // A full fence: a thread that changes the state from now on sees what was published.
    long seen = count.getFenced();
    if (!urgent && !relieves && Headcount.parked(seen) == 0 && Headcount.threads(seen) >= max) {
      if (Headcount.lingering(seen) > 0) {
        staff.watch();
      }
      return;
    }
    Duty woken = null;
    WorkerState from = WorkerState.PARKED;
    boolean start = false;
    synchronized (lock) {
      int threads = Headcount.threads(count.get());
      woken = lineup.wakeParked();
      if (woken == null && (relieves || urgent && threads >= max)) {
        woken = lineup.recall();
        from = WorkerState.LINGERING;
      }
      // The watchdog asks again if one that was started is slow to begin.
      start =
          woken == null
              && threads < (urgent ? Headcount.MOST : max)
              && !(relieves && starting > 0);
      if (start) {
        count.thread(1, WorkerState.RUNNING);
        starting++;
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
      starting--;
    }
  }

  /** Records that a thread could not be started. Another attempt follows later. */
  public void notStarted() {
    synchronized (lock) {
      count.thread(-1, WorkerState.RUNNING);
      starting--;
    }
    staff.watch();
  }

  private void passOn() {
    if (work.exists()) {
      fetch(work.isUrgent(), false);
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
   * Ends a thread's lingering; returns false if it was recalled and must check for other work.
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
   * Records that a thread has failed, wherever it was, and checks for work again; returns false if
   * it has left and must end.
   */
  public boolean failed(Duty duty) {
    synchronized (lock) {
      if (!lineup.contains(duty)) {
        return false;
      }
      lineup.runAgain(duty);
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
   * come, one that could not be started, or one that was woken or started and has not come yet.
   */
  public boolean lacksThreads() {
    long seen = count.get();
    return Headcount.parked(seen) == 0
        && (Headcount.lingering(seen) > 0 || Headcount.threads(seen) < max || work.isUrgent())
        && work.exists();
  }

  /** Recalls or starts a thread if {@link #lacksThreads()} still reports that. */
  public void relieve() {
    if (lacksThreads()) {
      fetch(work.isUrgent(), true);
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

  public int parked() {
    return Headcount.parked(count.get());
  }

  public int lingering() {
    return Headcount.lingering(count.get());
  }
}
