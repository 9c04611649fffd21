package dev.ringside.thrift;

import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.LoggerFactory;

/**
 * Throws an OutOfMemoryError at chosen steps of a server: wherever it calls code that a test can
 * replace, including its logger. Thread-safe.
 */
final class Faults {
  private final AtomicInteger steps = new AtomicInteger();
  private volatile int from = Integer.MAX_VALUE;
  private volatile int to;

  /** Makes steps fail, counted from now on: those from {@code first} to {@code last}. */
  void arm(int first, int last) {
    from = Integer.MAX_VALUE;
    steps.set(0);
    to = last;
    from = first;
  }

  void disarm() {
    from = Integer.MAX_VALUE;
  }

  int steps() {
    return steps.get();
  }

  /** Fails if it is this step's turn. */
  void step() {
    int step = steps.incrementAndGet();
    if (step >= from && step <= to) {
      throw new OutOfMemoryError("injected at step " + step);
    }
  }

  /** Lets the server's logger write its errors to a stream that fails. Returns what undoes that. */
  AutoCloseable inLogger() throws Exception {
    Object logger = LoggerFactory.getLogger(TDisruptorServer.class);
    Field level = logger.getClass().getDeclaredField("currentLogLevel");
    level.setAccessible(true);
    int before = level.getInt(logger);
    PrintStream err = System.err;
    System.setErr(
        new PrintStream(
            new OutputStream() {
              @Override
              public void write(int b) {
                step();
              }

              @Override
              public void write(byte[] bytes, int at, int length) {
                step();
              }
            }));
    level.setInt(logger, 40);
    return () -> {
      level.setInt(logger, before);
      System.setErr(err);
    };
  }
}
