package dev.ringside.bench.stats;

/**
 * Holds a server's throughput.
 *
 * @param requests number of requests answered
 * @param rate requests per second
 * @param turnedRate requests per second since handlers turned slow; NaN if they did not
 * @param targetRate requests per second that were due; NaN in a closed loop
 */
public record Throughput(long requests, double rate, double turnedRate, double targetRate) {
  static final Throughput NONE = new Throughput(0, Double.NaN, Double.NaN, Double.NaN);

  /**
   * Returns the rate that the server can sustain. The rate of an open loop is a percentage of it.
   */
  public double capacity() {
    return Double.isNaN(turnedRate) ? rate : turnedRate;
  }
}
