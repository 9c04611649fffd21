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

  public void remove(Duty duty) {
    all.remove(duty);
    parked.remove(duty);
    count.thread(-1, duty.state());
    duty.state(WorkerState.RUNNING);
  }

  public void move(Duty duty, WorkerState to) {
    if (to == WorkerState.PARKED) {
      parked.addLast(duty);
    }
    count.move(duty.state(), to);
    duty.state(to);
  }

  /** Moves a duty to SEARCHING from any state. */
  public void searchAgain(Duty duty) {
    parked.remove(duty);
    move(duty, WorkerState.SEARCHING);
  }

  /** Removes the duty that was parked last, to be moved; returns null if none is parked. */
  public @Nullable Duty pollParked() {
    return parked.pollLast();
  }

  /** Returns a duty that lingers, or null. */
  public @Nullable Duty lingering() {
    if (Headcount.lingering(count.get()) > 0) {
      for (Duty duty : all) {
        if (duty.state() == WorkerState.LINGERING) {
          return duty;
        }
      }
    }
    return null;
  }

  /** Moves all waiting duties to SEARCHING and returns them. */
  public List<Duty> moveWaiting() {
    List<Duty> waiting = new ArrayList<>();
    for (Duty duty : all) {
      if (duty.state() == WorkerState.PARKED || duty.state() == WorkerState.LINGERING) {
        move(duty, WorkerState.SEARCHING);
        waiting.add(duty);
      }
    }
    parked.clear();
    return waiting;
  }
}
