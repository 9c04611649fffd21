package dev.ringside.bench.handler;

import java.util.concurrent.Callable;

/** A Thrift's processor without a server: calls are read from memory, replies written there. */
@FunctionalInterface
public interface MemoryProcessor {
  /**
   * What answers that call, to be run once: what it allocates then is the processor's, what
   * preparing it takes is not. It copies the arguments, as from a socket: what a handler is given
   * must be its own, and a server that does not copy them allocates the frame instead.
   *
   * @param call a frame without the length in front
   */
  Callable<?> prepare(byte[] call) throws Exception;
}
