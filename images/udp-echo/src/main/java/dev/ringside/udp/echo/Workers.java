package dev.ringside.udp.echo;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** A server's threads. One that ends before it is told to is a fault, which the probes see. */
final class Workers {
  private final String name;
  private final List<Thread> threads = new CopyOnWriteArrayList<>();

  /** They are named after the server. */
  Workers(String name) {
    this.name = name;
  }

  /** A thread of the server, not yet started. */
  Thread thread(Runnable task) {
    Thread thread = new Thread(task, name + "-" + threads.size());
    thread.setDaemon(true);
    threads.add(thread);
    return thread;
  }

  void start(Runnable task) {
    thread(task).start();
  }

  /** Whether none has ended. */
  boolean allAlive() {
    return !threads.isEmpty() && threads.stream().allMatch(Thread::isAlive);
  }

  int count() {
    return threads.size();
  }

  /** Waits until all have ended, for so long at most; whether they have. */
  boolean join(long millis) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    for (Thread thread : threads) {
      long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      thread.join(Math.max(1, left));
    }
    return threads.stream().noneMatch(Thread::isAlive);
  }
}
