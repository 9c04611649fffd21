package dev.ringside.udp.echo;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Adds each request to one counter that all threads share, then converts the text to capitals: the
 * smallest state for which handlers contend. With several handler threads, requests wait for the
 * counter's cache line from another core.
 */
final class SharedCounter implements Handler {
  private final AtomicLong counter = new AtomicLong();
  private final Handler then = new UpperCase();

  @Override
  public void handle(ByteBuffer text) {
    counter.incrementAndGet();
    then.handle(text);
  }

  /** Returns the number of requests. */
  long count() {
    return counter.get();
  }
}
