package dev.ringside.thrift.internal.work;

import dev.ringside.thrift.internal.work.Duty.State;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Implements the state machine of the server's threads: what each does, and which is woken for new
 * work. It has no threads, sockets or clocks of its own, so that it can be tested by itself. Only
 * tests extend it.
 *
 * <pre>
 *   start ─► COMING ─► RUNNING ─ no work ─► PARKED ─ woken ─► COMING
 *                        ▲ │
 *                recalled, │ its connection
 *           bytes, timeout │ ▼ is silent
 *                      LINGERING
 * </pre>
 *
 * <p>Invariant: for each piece of work, its publisher has woken or started one thread, or every
 * thread runs that the limit allows, or the watchdog checks until the work is taken. A running
 * thread checks for work before it waits or ends, so the work is taken by the one that was woken or
 * by one that came first.
 *
 * <p>No wake-up is lost, because every change of state happens under one lock, the roster's own. A
 * publisher writes the work before it takes the lock. A thread that is about to wait checks for
 * work while it holds the lock, and one that ends does so after it. If the publisher comes first,
 * the thread sees the work; if the thread comes first, the publisher sees what it does. No timer
 * repairs anything.
 */
public class Roster {
  /**
   * Supplies the threads of a {@link Roster}, and tells it whether there is work for them. A
   * publisher of work notifies the roster afterwards.
   */
  public interface Staff {
    /** Reports whether there is any work. */
    boolean hasWork();

    /**
     * Reports whether some of it cannot wait for a free thread, so that a thread may exceed the
     * limit.
     */
    boolean hasUrgentWork();

    /**
     * Starts a thread, which {@link Roster#begin begins} with a new duty. It is counted already. If
     * it cannot be started, the implementation must call {@link Roster#notStarted()}.
     */
    void start();

    /** Makes {@link Roster#lacksThreads()} be checked soon, and again until it returns false. */
    void watch();
  }

  private final Staff staff;
  private final long min;
  private final long max;

  // Guarded by the roster's lock.
  private final List<Duty> all = new ArrayList<>();
  private final ArrayDeque<Duty> parked = new ArrayDeque<>();
  private int lingering;
  private int coming;
  private boolean ended;

  /** How many threads were started and have not begun. */
  private int starting;

  /**
   * Creates a roster without threads.
   *
   * @param min number of threads that stay although they have nothing to do
   * @param max number of threads; urgent work may add more, which leave when they have finished
   */
  public Roster(Staff staff, long min, long max) {
    this.staff = staff;
    this.min = min;
    this.max = max;
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
    Duty woken;
    State from = State.PARKED;
    boolean start = false;
    synchronized (this) {
      woken = parked.peekLast();
      if (woken == null && (relieves || urgent && threads() >= max)) {
        woken = anyLingering();
      }
      if (woken != null) {
        from = woken.state();
        move(woken, from == State.PARKED ? State.COMING : State.RUNNING);
      } else {
        start = urgent || threads() < max;
        starting += start ? 1 : 0;
      }
    }
    if (woken != null) {
      woken.wake(from);
    } else if (start) {
      staff.start();
    } else if (lingering() > 0) {
      staff.watch();
    }
  }

  private @Nullable Duty anyLingering() {
    for (int i = 0; lingering > 0 && i < all.size(); i++) {
      if (all.get(i).state() == State.LINGERING) {
        return all.get(i);
      }
    }
    return null;
  }

  /** Changes a state. Needs the lock. */
  private void move(Duty duty, State to) {
    State from = duty.state();
    if (to == State.PARKED) {
      parked.addLast(duty);
    } else if (from == State.PARKED) {
      parked.removeLastOccurrence(duty);
    }
    lingering += to == State.LINGERING ? 1 : 0;
    lingering -= from == State.LINGERING ? 1 : 0;
    coming += to == State.COMING ? 1 : 0;
    coming -= from == State.COMING ? 1 : 0;
    duty.state(to);
  }

  /** Records that a started thread runs. */
  public synchronized void begin(Duty duty) {
    all.add(duty);
    starting--;
    coming++;
  }

  /** Records that a thread could not be started. Another attempt follows later. */
  public void notStarted() {
    synchronized (this) {
      starting--;
    }
    staff.watch();
  }

  /**
   * Parks a thread that has found no work: it must wait for as long as its state is PARKED. Returns
   * false if it must end instead, because all do or there are too many.
   */
  public synchronized boolean park(Duty duty) {
    if (ended || isOneTooMany()) {
      return false;
    }
    if (!staff.hasWork()) {
      move(duty, State.PARKED);
    }
    return true;
  }

  /**
   * Lets a thread linger: it may wait for its own connection for as long as its state is LINGERING.
   * Returns false if it must not, because there is other work or there are too many threads.
   */
  public synchronized boolean linger(Duty duty) {
    if (ended || isOneTooMany() || staff.hasWork()) {
      return false;
    }
    move(duty, State.LINGERING);
    return true;
  }

  /** Ends a thread's lingering; returns false if it was recalled: it must check for work. */
  public synchronized boolean endLinger(Duty duty) {
    boolean stays = duty.state() == State.LINGERING;
    move(duty, State.RUNNING);
    return stays;
  }

  /** Returns false if there are too many threads; the caller has left then. Between connections. */
  public boolean mayStay(Duty duty) {
    synchronized (this) {
      move(duty, State.RUNNING);
      if (!isOneTooMany()) {
        return true;
      }
      remove(duty);
    }
    passOn();
    return false;
  }

  /** Wakes another thread for the work for which one that leaves may have been woken. */
  private void passOn() {
    if (staff.hasWork()) {
      fetch(staff.hasUrgentWork(), false);
    }
  }

  private boolean isOneTooMany() {
    return isOverLimit() && !staff.hasUrgentWork();
  }

  /** Returns true if a thread that was parked for long may leave; it has left then. */
  public synchronized boolean leaveIfIdle(Duty duty) {
    return duty.state() == State.PARKED && threads() > min && remove(duty);
  }

  /** Records that a thread has failed, and checks for work again; returns false if it has left. */
  public synchronized boolean failed(Duty duty) {
    move(duty, State.RUNNING);
    return all.contains(duty);
  }

  /** Records that a thread ends, for any reason. Does nothing if it has left already. */
  public void leave(Duty duty) {
    if (remove(duty)) {
      passOn();
    }
  }

  /** Removes a thread; returns false if it has gone already. */
  private synchronized boolean remove(Duty duty) {
    move(duty, State.RUNNING);
    return all.remove(duty);
  }

  /**
   * Reports whether work waits although a thread could be used: one that lingers, which {@link
   * #wakeOne()} leaves alone because another may come, or one that was not started, or is slow.
   */
  public synchronized boolean lacksThreads() {
    return parked.isEmpty()
        && (lingering > 0 || threads() < max || staff.hasUrgentWork())
        && staff.hasWork();
  }

  /**
   * Recalls or starts a thread if {@link #lacksThreads()} still reports that, unless one is on its
   * way: on a busy machine that may take long.
   */
  public void relieve() {
    if (lacksThreads() && !isOneComing()) {
      fetch(staff.hasUrgentWork(), true);
    }
  }

  private synchronized boolean isOneComing() {
    return starting + coming > 0;
  }

  /** Wakes all waiting threads, so that they check for work. */
  public void wakeAll() {
    List<Duty> woken = new ArrayList<>();
    synchronized (this) {
      for (Duty duty : all) {
        if (duty.state() == State.PARKED || duty.state() == State.LINGERING) {
          move(duty, State.RUNNING);
          woken.add(duty);
        }
      }
    }
    // One call for each way to wait; the other does no harm.
    woken.forEach(duty -> duty.wake(State.PARKED));
    woken.forEach(duty -> duty.wake(State.LINGERING));
  }

  /** Lets every thread end that finds no more work. */
  public void end() {
    synchronized (this) {
      ended = true;
    }
    wakeAll();
  }

  /** Reports whether no thread is free, and none may be started. */
  public synchronized boolean isUsedUp() {
    return parked.isEmpty() && lingering == 0 && threads() >= max;
  }

  public boolean isOverLimit() {
    return threads() > max;
  }

  /** Returns how many threads there are, with those that were started. */
  public synchronized int threads() {
    return all.size() + starting;
  }

  public synchronized int parked() {
    return parked.size();
  }

  public synchronized int lingering() {
    return lingering;
  }
}
