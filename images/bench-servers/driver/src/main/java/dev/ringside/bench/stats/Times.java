package dev.ringside.bench.stats;

/** Service times in µs. */
public record Times(double p50, double p99, double p999, double max) {
  static final Times NONE = new Times(Double.NaN, Double.NaN, Double.NaN, Double.NaN);
}
