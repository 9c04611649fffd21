package dev.ringside.load;

import java.util.concurrent.CountDownLatch;

/** Lets all threads begin at the same time, after each of them is ready. */
public final class Start {
  private final CountDownLatch here;
  private final CountDownLatch go = new CountDownLatch(1);

  /** Creates a start for that number of threads of the load. */
  public Start(int threads) {
    here = new CountDownLatch(threads);
  }

  /** Reports that a thread of the load is ready, and waits until all may begin. */
  public void await() throws InterruptedException {
    here.countDown();
    go.await();
  }

  /** Waits until all threads of the load are ready. */
  public void awaitAll() throws InterruptedException {
    here.await();
  }

  /** Lets the threads begin. */
  public void go() {
    go.countDown();
  }
}
