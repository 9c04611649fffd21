package dev.ringside.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/**
 * The threads that go from window to window together. Each has a connection to every arm, and all
 * meet twice per window: when it begins, and when the last operation of it was answered. Between
 * the two they share nothing but the numbers of the next operation and of the next that is due.
 */
final class WindowThreads implements AutoCloseable {
  /** What one of the threads does between two meetings. */
  private interface Part {
    void of(int thread);
  }

  private final Clock clock;
  private final List<List<Rotation>> connections;
  private final List<Samples> samples = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final CyclicBarrier meeting;
  private volatile Throwable fatal;
  // Written before a meeting, read after it; null ends the threads.
  private Part part;

  /**
   * Starts the threads.
   *
   * @param connections of each thread to each arm
   * @param batch operations that each of them does in one go
   */
  WindowThreads(Clock clock, List<List<Rotation>> connections, int batch) {
    this.clock = clock;
    this.connections = connections;
    meeting = new CyclicBarrier(connections.size() + 1);
    for (int i = 0; i < connections.size(); i++) {
      int number = i;
      samples.add(new Samples(batch));
      Thread thread = new Thread(() -> work(number), "load-" + i);
      thread.setDaemon(true);
      threads.add(thread);
    }
    threads.forEach(Thread::start);
  }

  /**
   * Runs a window and returns when its last operation was answered.
   *
   * @throws LoadFailedException if a thread can do no more
   */
  void run(Window window) throws InterruptedException, LoadFailedException {
    all(thread -> work(window, thread));
  }

  /**
   * Has each thread do one operation on each of its connections, to all arms, which counts nowhere:
   * what the first on a connection costs is not what is measured.
   *
   * @throws LoadFailedException if a thread can do no more
   */
  void greet() throws InterruptedException, LoadFailedException {
    all(thread -> connections.get(thread).forEach(Rotation::greet));
  }

  private void all(Part next) throws InterruptedException, LoadFailedException {
    part = next;
    meet();
    meet();
    if (fatal != null) {
      throw new LoadFailedException("a thread of the load failed: " + fatal, fatal);
    }
  }

  /** What a thread did in the window that was run last. */
  Samples samplesOf(int thread) {
    return samples.get(thread);
  }

  int count() {
    return threads.size();
  }

  private void work(int thread) {
    try {
      for (meeting.await(); part != null; meeting.await()) {
        try {
          part.of(thread);
        } catch (RuntimeException | Error e) {
          fatal = e;
        }
        meeting.await();
      }
    } catch (InterruptedException | BrokenBarrierException e) {
      // The load has ended.
    }
  }

  private void work(Window window, int thread) {
    Slot slot = window.slot();
    int side = slot.sideOf(thread, threads.size());
    WindowLoop.run(
        clock,
        window,
        window.agenda(side),
        connections.get(thread).get(slot.sides().get(side).arm()),
        samples.get(thread));
  }

  private void meet() throws InterruptedException {
    try {
      meeting.await();
    } catch (BrokenBarrierException e) {
      throw new IllegalStateException("a thread of the load was interrupted", e);
    }
  }

  /** Ends the threads, between two windows. */
  @Override
  public void close() throws InterruptedException {
    if (meeting.isBroken()) {
      return;
    }
    part = null;
    meet();
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
