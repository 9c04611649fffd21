package dev.ringside.bench.handler;

import dev.ringside.bench.wire.Delay;
import dev.ringside.cpu.CpuWork;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * What a handler does before it answers, the same in every server, whatever its Thrift. For any
 * number of threads.
 */
public final class HandlerWork {
  private final PeerQuestions questions = new PeerQuestions();
  private volatile CpuWork cpu = CpuWork.ofSteps(0);

  /** How many steps of work 100 µs are. */
  public void steps(long steps) {
    cpu = CpuWork.ofSteps(steps);
  }

  /** At which port of this host there is a process to be asked. */
  public void peer(int port) {
    questions.peer(port);
  }

  /** Takes as long as the payload's first byte asks for; nothing of the payload is consumed. */
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
