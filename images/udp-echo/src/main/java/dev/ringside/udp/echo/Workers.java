package dev.ringside.udp.echo;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/**
 * Holds a server's threads. A thread that ends before the server stops is an error, which the
 * probes report.
 */
final class Workers {
  private final String name;
  private final List<Thread> threads = new CopyOnWriteArrayList<>();

  /** Creates the holder; threads are named after the server. */
  Workers(String name) {
    this.name = name;
  }

  /** Returns a new thread of the server, not started. */
  Thread thread(Runnable task) {
    Thread thread = new Thread(task, name + "-" + threads.size());
    thread.setDaemon(true);
    threads.add(thread);
    return thread;
  }

  void start(Runnable task) {
    thread(task).start();
  }

  /** Reports whether no thread has ended. */
  boolean allAlive() {
    return !threads.isEmpty() && threads.stream().allMatch(Thread::isAlive);
  }

  int count() {
    return threads.size();
  }

  /** Waits until all threads have ended or the time is over. Reports whether they have ended. */
  boolean join(long millis) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    for (Thread thread : threads) {
      long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      thread.join(Math.max(1, left));
    }
    return threads.stream().noneMatch(Thread::isAlive);
  }
}
