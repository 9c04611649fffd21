package dev.ringside.udp.echo;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts each request in one number that all threads share, then writes it in capitals: the least
 * state that handlers can fight over. With one handler thread nobody fights; with several, each
 * request waits for the number's cache line to come from another core.
 */
final class SharedCounter implements Handler {
  private final AtomicLong counter = new AtomicLong();
  private final Handler then = new UpperCase();

  @Override
  public void handle(ByteBuffer text) {
    counter.incrementAndGet();
    then.handle(text);
  }

  /** Requests so far. */
  long count() {
    return counter.get();
  }
}
