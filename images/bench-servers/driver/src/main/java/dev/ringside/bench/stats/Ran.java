package dev.ringside.bench.stats;

/**
 * What ran, and on what a machine.
 *
 * @param serverClass the server's class
 * @param build what its code was
 * @param threads Java threads of its process at the end of the window
 * @param steal share of the machine's processor time that others had meanwhile, 0 to 1
 */
public record Ran(String serverClass, Build build, double threads, double steal) {
  static final Ran NOTHING = new Ran("", Build.NONE, Double.NaN, Double.NaN);
}
