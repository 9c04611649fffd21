package dev.ringside.bench.stats;

/**
 * What a server got done.
 *
 * @param requests in all
 * @param rate requests per second
 * @param targetRate requests per second that were due; NaN in a closed loop
 */
public record Throughput(long requests, double rate, double targetRate) {
  static final Throughput NONE = new Throughput(0, Double.NaN, Double.NaN);
}
