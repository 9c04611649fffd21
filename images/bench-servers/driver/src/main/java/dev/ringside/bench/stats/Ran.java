package dev.ringside.bench.stats;

/**
 * Describes the server of a measurement and the state of its machine.
 *
 * @param serverClass the server's class
 * @param build identity of its code
 * @param workers threads that the server was given for requests; 0 without a pool, or {@link
 *     #DEFAULT_WORKERS}
 * @param threads threads of its process, for a JVM Java threads, at the end of the window
 * @param steal share of the machine's processor time that was stolen in the window, 0 to 1
 */
public record Ran(String serverClass, Build build, String workers, double threads, double steal) {
  /** Stands for the number that the server's library chooses. */
  public static final String DEFAULT_WORKERS = "default";

  static final Ran NOTHING = new Ran("", Build.NONE, "", Double.NaN, Double.NaN);
}
