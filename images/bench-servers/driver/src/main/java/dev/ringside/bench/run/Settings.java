package dev.ringside.bench.run;

import java.nio.file.Path;
import java.util.List;

/**
 * How everything is measured.
 *
 * @param home folder of the benchmark's modules, built
 * @param workers threads that run requests, for servers with a pool
 * @param selectors threads that watch connections, for servers that can have several
 * @param windowMillis length of a measured window
 * @param leadMillis load in front of each window that is not measured
 * @param warmupMillis load on a fresh process before its first measurement
 * @param loads the closed loop, and what comes after it in each cell
 * @param jvmFlags of every process
 * @param serverCpus CPUs of servers, as taskset wants them; empty for all
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
