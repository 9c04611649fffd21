package dev.ringside.bench.stats;

/**
 * What was measured, and when.
 *
 * @param server name of the server
 * @param cell name of the cell, and after it that of the load
 */
public record Measured(int round, String server, String cell) {
  /** The columns by which its lines are found in every file. */
  public static String header() {
    return "round,server,handler,connections,depth,load";
  }

  /** Its values of those columns. */
  public String line() {
    return round + "," + server + "," + cell.replace('/', ',');
  }

  /** Part of the cell's name: handler, connections, depth, load, from 0. */
  String part(int index) {
    return cell.split("/")[index];
  }
}
