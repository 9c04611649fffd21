package dev.ringside.bench.handler;

import dev.ringside.bench.wire.Delay;
import dev.ringside.cpu.CpuWork;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * Does the work of a handler before it answers. It is the same in every server and version of
 * Thrift. Safe for any number of threads.
 */
public final class HandlerWork {
  private final PeerQuestions questions = new PeerQuestions();
  private volatile CpuWork cpu = CpuWork.ofSteps(0);

  /** Sets the number of work steps that take 100 µs. */
  public void steps(long steps) {
    cpu = CpuWork.ofSteps(steps);
  }

  /** Sets the local port of the process that handlers request. */
  public void peer(int port) {
    questions.peer(port);
  }

  /** Takes as long as the payload's first byte requests. Consumes nothing of the payload. */
  public void run(ByteBuffer payload) {
    switch (Delay.of(payload.get(payload.position()))) {
      case CPU_100_US:
        if (cpu.run(payload.getLong(payload.position())) == 0) {
          throw new IllegalStateException("xorshift never gives 0");
        }
        break;
      case SLEEP_1_MS:
        sleep(1);
        break;
      case SLEEP_20_MS:
        sleep(20);
        break;
      case SOCKET_1_MS:
        questions.ask();
        break;
      default:
        break;
    }
  }

  private static void sleep(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a handler sleeps", e);
    }
  }
}
