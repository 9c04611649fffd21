package dev.ringside.bench.stats;

/**
 * Holds the server's cost per request.
 *
 * @param cpuMicros CPU time of the server's process
 * @param allocated bytes; NaN if a thread ended in the window, because its count is then lost
 * @param allocatedBeyondProcessor bytes, without those that the processor itself allocates
 * @param syscalls system calls; NaN if they were not counted
 */
public record Cost(
    double cpuMicros, double allocated, double allocatedBeyondProcessor, double syscalls) {
  static final Cost NONE = new Cost(Double.NaN, Double.NaN, Double.NaN, Double.NaN);
}
