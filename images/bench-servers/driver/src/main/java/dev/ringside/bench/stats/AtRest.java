package dev.ringside.bench.stats;

import java.util.Locale;

/**
 * Holds what a server does while its connections are open and nothing is sent.
 *
 * @param round in which it was measured
 * @param server name of the server
 * @param connections open connections
 * @param cpu share of one core that its process used
 * @param wakeupsPerSecond how often one of its threads was woken, per second
 */
public record AtRest(
    int round, String server, int connections, double cpu, double wakeupsPerSecond) {
  /** Returns the columns of the CSV file. */
  public static String header() {
    return "round,server,connections,cpu,wakeups_per_s";
  }

  /** Returns the values of those columns. */
  public String line() {
    return String.join(
        ",",
        Integer.toString(round),
        server,
        Integer.toString(connections),
        // An idle server uses less than the three digits of other figures show.
        String.format(Locale.ROOT, "%.6f", cpu),
        Column.number(wakeupsPerSecond));
  }
}
