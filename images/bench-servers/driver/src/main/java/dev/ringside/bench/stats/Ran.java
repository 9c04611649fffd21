package dev.ringside.bench.stats;

/**
 * Describes the server of a measurement and the state of its machine.
 *
 * @param serverClass the server's class
 * @param build identity of its code
 * @param threads Java threads of its process at the end of the window
 * @param steal share of the machine's processor time that was stolen in the window, 0 to 1
 */
public record Ran(String serverClass, Build build, double threads, double steal) {
  static final Ran NOTHING = new Ran("", Build.NONE, Double.NaN, Double.NaN);
}
