package dev.ringside.thrift;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Names the threads of a server after it. */
final class DaemonThreads implements ThreadFactory {
  private final String name;
  private final AtomicInteger count = new AtomicInteger();

  DaemonThreads(String name) {
    this.name = name;
  }

  @Override
  public Thread newThread(Runnable task) {
    return new ServerThread(task, name + "-" + count.incrementAndGet());
  }
}
