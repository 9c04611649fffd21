package dev.ringside.bench.handler;

import java.util.Optional;

/**
 * Holds the numbers of threads that a server's process is given.
 *
 * @param workers threads that run requests; 0 to run them on the selectors
 * @param selectors threads that poll connections
 */
public record ThreadCounts(int workers, int selectors) {
  private static final int BEFORE = 2;

  /**
   * Returns the numbers of a process, or nothing if it uses its library's defaults.
   *
   * @param arguments of the process: type and port, and then workers and selectors or nothing
   */
  public static Optional<ThreadCounts> of(String... arguments) {
    return arguments.length == BEFORE
        ? Optional.empty()
        : Optional.of(
            new ThreadCounts(
                Integer.parseInt(arguments[BEFORE]), Integer.parseInt(arguments[BEFORE + 1])));
  }
}
