package dev.ringside.thrift;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Runs tasks in threads of which one moves at a time, from one {@link #point()} to the next; which
 * one, the seed decides. So a rare order of steps is as likely as any other, can be repeated, and a
 * task that nobody wakes is seen at once, without waiting for it.
 */
final class Schedule {
  /** A task of the schedule. */
  final class Task {
    private final Semaphore turn = new Semaphore(0);
    private final Thread thread;
    private boolean blocked;
    private boolean permit;
    private boolean done;

    private Task(Runnable body) {
      thread =
          new Thread(
              () -> {
                turn.acquireUninterruptibly();
                try {
                  if (!abandoned) {
                    body.run();
                  }
                } catch (Abandoned e) {
                  // the schedule is over
                } catch (Throwable e) {
                  failure = e;
                } finally {
                  done = true;
                  back.release();
                }
              },
              "scheduled");
      thread.setDaemon(true);
      thread.start();
    }

    /** Has its next or present {@link Schedule#park()} return. */
    void unpark() {
      permit = true;
      blocked = false;
    }
  }

  /** Far more than any schedule of ours has: who has not come to rest by then never will. */
  private static final int MOST_STEPS = 100_000;

  private static final class Abandoned extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private final Random random;
  private final List<Task> tasks = new ArrayList<>();
  private final Semaphore back = new Semaphore(0);
  private Task current;
  private volatile boolean abandoned;
  private volatile Throwable failure;

  Schedule(long seed) {
    random = new Random(seed);
  }

  Task start(Runnable body) {
    Task task = new Task(body);
    tasks.add(task);
    return task;
  }

  Task current() {
    return current;
  }

  int random(int bound) {
    return random.nextInt(bound);
  }

  /** Here another task may go on. */
  void point() {
    Task me = current;
    back.release();
    me.turn.acquireUninterruptibly();
    if (abandoned) {
      throw new Abandoned();
    }
  }

  /** Waits to be unparked. */
  void park() {
    Task me = current;
    if (!me.permit) {
      me.blocked = true;
    }
    point();
    me.permit = false;
  }

  /** Runs until nobody can go on. */
  void run() {
    for (int steps = 0; failure == null; steps++) {
      if (steps == MOST_STEPS) {
        throw new AssertionError("they move for ever");
      }
      List<Task> ready = new ArrayList<>();
      for (Task task : tasks) {
        if (!task.done && !task.blocked) {
          ready.add(task);
        }
      }
      if (ready.isEmpty()) {
        return;
      }
      current = ready.get(random.nextInt(ready.size()));
      current.turn.release();
      try {
        if (!back.tryAcquire(30, TimeUnit.SECONDS)) {
          throw new AssertionError("a task neither ends nor comes to a point");
        }
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
    throw new AssertionError("a task failed", failure);
  }

  /** Ends the threads of those that wait. */
  void abandon() throws InterruptedException {
    abandoned = true;
    for (Task task : tasks) {
      task.turn.release();
    }
    for (Task task : tasks) {
      task.thread.join();
    }
  }
}
