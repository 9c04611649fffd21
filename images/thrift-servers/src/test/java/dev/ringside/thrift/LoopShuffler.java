package dev.ringside.thrift;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Changes the number of event loops in use repeatedly, so that connections move. */
final class LoopShuffler implements AutoCloseable {
  private final Thread thread;
  private volatile boolean done;
  private volatile int moves;

  LoopShuffler(TDisruptorServer server, int maxLoops) {
    Random random = new Random(maxLoops);
    thread =
        new Thread(
            () -> {
              while (!done) {
                server.core().loops.use(1 + random.nextInt(maxLoops));
                moves++;
                LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(100 + random.nextInt(2000)));
              }
            },
            "loop-shuffler");
    thread.start();
  }

  int moves() {
    return moves;
  }

  @Override
  public void close() throws InterruptedException {
    done = true;
    thread.join();
  }
}
