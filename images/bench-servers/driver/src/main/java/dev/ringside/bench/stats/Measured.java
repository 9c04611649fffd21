package dev.ringside.bench.stats;

/**
 * What was measured, and when.
 *
 * @param server name of the server
 * @param cell name of the cell, and after it that of the load
 */
public record Measured(int round, String server, String cell) {
  /** Part of the cell's name: handler, connections, depth, load, from 0. */
  String part(int index) {
    return cell.split("/")[index];
  }
}
