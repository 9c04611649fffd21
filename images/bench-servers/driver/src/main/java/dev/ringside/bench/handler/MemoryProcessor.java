package dev.ringside.bench.handler;

import java.util.concurrent.Callable;

/**
 * Runs a processor of Thrift without a server: reads calls from memory and writes replies to
 * memory.
 */
@FunctionalInterface
public interface MemoryProcessor {
  /**
   * Returns a task that answers a call, to be run once. Only allocations during the task belong to
   * the processor. The task copies the arguments, as from a socket, because a handler must own
   * them; a server that does not copy them allocates the frame instead.
   *
   * @param call a frame without its length prefix
   */
  Callable<?> prepare(byte[] call) throws Exception;
}
