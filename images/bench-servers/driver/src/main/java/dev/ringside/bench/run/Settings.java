package dev.ringside.bench.run;

import dev.ringside.bench.handler.ThreadCounts;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Holds the settings of all measurements.
 *
 * @param home folder of the benchmark's modules, built
 * @param threads of servers with a pool, and of those with several selectors; empty for the
 *     defaults of each server's library
 * @param windowMillis length of a measured window
 * @param leadMillis length of the load before each window, which is not measured
 * @param warmupMillis length of the load on a fresh process before its first measurement
 * @param restMillis length of the time without load in which each fresh process is watched; 0 for
 *     none
 * @param loads the closed loop and the open ones after it, in each cell
 * @param jvmFlags of every process
 * @param serverCpus CPUs of servers in taskset's format; empty for all
 * @param clientCpus CPUs of the load generator
 */
record Settings(
    Path home,
    Optional<ThreadCounts> threads,
    long windowMillis,
    long leadMillis,
    long warmupMillis,
    long restMillis,
    List<LoadKind> loads,
    List<String> jvmFlags,
    String serverCpus,
    String clientCpus) {

  /** Returns the threads that a server is given, or nothing: its library's defaults. */
  Optional<ThreadCounts> threads(Contender contender) {
    return threads.map(all -> contender.pool() ? all : new ThreadCounts(0, all.selectors()));
  }
}
