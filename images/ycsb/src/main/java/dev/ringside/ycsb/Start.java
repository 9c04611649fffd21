package dev.ringside.ycsb;

import java.util.concurrent.CountDownLatch;

/** Lets all threads begin together, once each of them is there. */
final class Start {
  private final CountDownLatch here;
  private final CountDownLatch go = new CountDownLatch(1);

  Start(int threads) {
    here = new CountDownLatch(threads);
  }

  /** For a thread of the load: it is ready, and goes on when all may. */
  void await() throws InterruptedException {
    here.countDown();
    go.await();
  }

  /** Returns once all threads wait. */
  void awaitAll() throws InterruptedException {
    here.await();
  }

  /** Lets them go. */
  void go() {
    go.countDown();
  }
}
