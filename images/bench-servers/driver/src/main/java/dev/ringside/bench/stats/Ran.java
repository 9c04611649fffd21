package dev.ringside.bench.stats;

/**
 * What ran.
 *
 * @param serverClass the server's class
 */
public record Ran(String serverClass) {
  static final Ran NOTHING = new Ran("");
}
