package dev.ringside.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/**
 * The threads of a load, which enter each window together. Each has connections to every arm. All
 * threads meet twice per window: at its begin and after its last answer. In between they share only
 * the numbers of the next operation and of the next due time.
 */
final class WindowThreads implements AutoCloseable {
  /** The work of one thread between two meetings. */
  private interface Part {
    void of(int thread);
  }

  private final Clock clock;
  private final List<List<Rotation>> connections;
  private final List<Samples> samples = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final CyclicBarrier meeting;
  private volatile Throwable fatal;
  // Written before a meeting and read after it; null ends the threads.
  private Part part;

  /**
   * Creates and starts the threads.
   *
   * @param connections connections of each thread to each arm
   * @param orders the batch and the timeout of operations
   */
  WindowThreads(Clock clock, List<List<Rotation>> connections, CommonOrders orders) {
    this.clock = clock;
    this.connections = connections;
    meeting = new CyclicBarrier(connections.size() + 1);
    for (int i = 0; i < connections.size(); i++) {
      int number = i;
      samples.add(new Samples(orders.batch(), orders.patienceNanos()));
      Thread thread = new Thread(() -> work(number), "load-" + i);
      thread.setDaemon(true);
      threads.add(thread);
    }
    threads.forEach(Thread::start);
  }

  /**
   * Runs a window and returns after its last answer.
   *
   * @throws LoadFailedException if a thread failed
   */
  void run(Window window) throws InterruptedException, LoadFailedException {
    all(thread -> work(window, thread));
  }

  /**
   * Makes each thread do one operation on each of its connections to all arms. These operations are
   * not counted, because the cost of the first operation on a connection is not what is measured.
   *
   * @throws LoadFailedException if a thread failed
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

  /** Returns the results of a thread in the last window. */
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
      // the load has ended
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

  /** Ends the threads. Call it between two windows. */
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
