package dev.ringside.bench.run;

import java.nio.file.Path;
import java.util.List;

/**
 * Holds the settings of all measurements.
 *
 * @param home folder of the benchmark's modules, built
 * @param workers threads that run requests, for servers with a pool
 * @param selectors threads that poll connections, for servers with several
 * @param windowMillis length of a measured window
 * @param leadMillis length of the load before each window, which is not measured
 * @param warmupMillis length of the load on a fresh process before its first measurement
 * @param loads the closed loop and the open ones after it, in each cell
 * @param jvmFlags of every process
 * @param serverCpus CPUs of servers in taskset's format; empty for all
 * @param clientCpus CPUs of the load generator
 */
record Settings(
    Path home,
    int workers,
    int selectors,
    long windowMillis,
    long leadMillis,
    long warmupMillis,
    List<LoadKind> loads,
    List<String> jvmFlags,
    String serverCpus,
    String clientCpus) {}
