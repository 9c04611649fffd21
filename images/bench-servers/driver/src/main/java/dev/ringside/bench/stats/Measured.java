package dev.ringside.bench.stats;

/**
 * Identifies a measurement.
 *
 * @param server name of the server
 * @param cell name of the cell, followed by that of the load
 */
public record Measured(int round, String server, String cell) {
  /** Returns the columns that identify a measurement in every file. */
  public static String header() {
    return "round,server,handler,connections,depth,load";
  }

  /** Returns the values of those columns. */
  public String line() {
    return round + "," + server + "," + cell.replace('/', ',');
  }

  /** Returns a part of the cell's name: handler, connections, depth, load, from 0. */
  String part(int index) {
    return cell.split("/")[index];
  }
}
