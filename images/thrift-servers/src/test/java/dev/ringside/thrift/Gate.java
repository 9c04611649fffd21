package dev.ringside.thrift;

/** Stops the threads that pass while it is closed. Thread-safe. */
final class Gate {
  private boolean closed;
  private int held;

  synchronized void pass() throws InterruptedException {
    held++;
    try {
      while (closed) {
        wait();
      }
    } finally {
      held--;
    }
  }

  synchronized void close() {
    closed = true;
  }

  synchronized void open() {
    closed = false;
    notifyAll();
  }

  /** Returns how many threads it holds. */
  synchronized int held() {
    return held;
  }
}
