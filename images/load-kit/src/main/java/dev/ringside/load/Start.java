package dev.ringside.load;

import java.util.concurrent.CountDownLatch;

/** Lets all threads begin together, once each of them is there. */
public final class Start {
  private final CountDownLatch here;
  private final CountDownLatch go = new CountDownLatch(1);

  /** For so many threads of the load. */
  public Start(int threads) {
    here = new CountDownLatch(threads);
  }

  /** For a thread of the load: it is ready, and goes on when all may. */
  public void await() throws InterruptedException {
    here.countDown();
    go.await();
  }

  /** Returns once all threads wait. */
  public void awaitAll() throws InterruptedException {
    here.await();
  }

  /** Lets them go. */
  public void go() {
    go.countDown();
  }
}
