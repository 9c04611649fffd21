package dev.ringside.bench.stats;

/**
 * What a request cost the server.
 *
 * @param cpuMicros CPU time of the server's process
 * @param allocated bytes; NaN where a thread ended in the window, which takes its count along
 * @param allocatedBeyondProcessor bytes, without those that the processor itself allocates
 * @param syscalls system calls; NaN where they were not counted
 */
public record Cost(
    double cpuMicros, double allocated, double allocatedBeyondProcessor, double syscalls) {
  static final Cost NONE = new Cost(Double.NaN, Double.NaN, Double.NaN, Double.NaN);
}
