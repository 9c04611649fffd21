package dev.ringside.http.handoff;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Names the threads of a pool, so that profiles distinguish them from selectors. */
final class WorkerThreads implements ThreadFactory {
  private final String type;
  private final AtomicInteger number = new AtomicInteger();

  WorkerThreads(String type) {
    this.type = type;
  }

  @Override
  public Thread newThread(Runnable work) {
    Thread thread = new Thread(work, type + "-" + number.getAndIncrement());
    thread.setDaemon(true);
    return thread;
  }
}
