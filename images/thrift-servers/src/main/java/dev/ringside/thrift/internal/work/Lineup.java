package dev.ringside.thrift.internal.work;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Holds the duties on a {@link Roster} with their states, and the headcount. Guarded by the
 * roster's lock, except the headcount.
 */
public final class Lineup {
  private final Headcount count = new Headcount();
  private final List<Duty> all = new ArrayList<>();
  private final ArrayDeque<Duty> parked = new ArrayDeque<>();

  public Headcount count() {
    return count;
  }

  public void add(Duty duty) {
    all.add(duty);
  }

  public boolean contains(Duty duty) {
    return all.contains(duty);
  }

  /** Removes a duty; returns false if it has gone already. */
  public boolean remove(Duty duty) {
    if (!all.remove(duty)) {
      return false;
    }
    parked.remove(duty);
    count.thread(-1, duty.state());
    duty.state(WorkerState.RUNNING);
    return true;
  }

  public void move(Duty duty, WorkerState to) {
    if (to == WorkerState.PARKED) {
      parked.addLast(duty);
    }
    count.move(duty.state(), to);
    duty.state(to);
  }

  /** Moves a duty to RUNNING from any state. */
  public void runAgain(Duty duty) {
    parked.remove(duty);
    move(duty, WorkerState.RUNNING);
  }

  /** Moves the duty that was parked last to RUNNING; returns null if none is parked. */
  public @Nullable Duty wakeParked() {
    Duty duty = parked.pollLast();
    if (duty != null) {
      move(duty, WorkerState.RUNNING);
    }
    return duty;
  }

  /** Moves a duty that lingers to RUNNING; returns null if none lingers. */
  public @Nullable Duty recall() {
    if (Headcount.lingering(count.get()) > 0) {
      for (Duty duty : all) {
        if (duty.state() == WorkerState.LINGERING) {
          move(duty, WorkerState.RUNNING);
          return duty;
        }
      }
    }
    return null;
  }

  /** Moves all waiting duties to RUNNING and returns them. */
  public List<Duty> moveWaiting() {
    List<Duty> waiting = new ArrayList<>();
    for (Duty duty : all) {
      if (duty.state() == WorkerState.PARKED || duty.state() == WorkerState.LINGERING) {
        move(duty, WorkerState.RUNNING);
        waiting.add(duty);
      }
    }
    parked.clear();
    return waiting;
  }
}
