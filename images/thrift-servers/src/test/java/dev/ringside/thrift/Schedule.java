package dev.ringside.thrift;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Runs tasks in threads of which one runs at a time, from one {@link #point()} to the next. The
 * seed determines which one. So rare orders of steps are as likely as others and can be repeated. A
 * task that is never woken is detected at once, without a timeout.
 */
final class Schedule {
  /** Is a task of the schedule. */
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

    /** Makes the task's next or current {@link Schedule#park()} return. */
    void unpark() {
      permit = true;
      blocked = false;
    }
  }

  /** More steps than any schedule needs: tasks that still run then never end. */
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

  /** Lets another task run. */
  void point() {
    Task me = current;
    back.release();
    me.turn.acquireUninterruptibly();
    if (abandoned) {
      throw new Abandoned();
    }
  }

  /** Waits until the task is unparked. */
  void park() {
    Task me = current;
    if (!me.permit) {
      me.blocked = true;
    }
    point();
    me.permit = false;
  }

  /** Runs until no task can continue. */
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

  /** Ends the threads of waiting tasks. */
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
