package dev.ringside.http.lsm;

/**
 * Holds a store's figures at one moment. Counts begin at its start.
 *
 * @param tables on disk
 * @param tableBytes size of the tables on disk
 * @param memoryBytes approximate size of the entries that are only in memory
 * @param flushes tables flushed from memory to disk
 * @param compactions merges of tables
 * @param syncs syncs of logs
 * @param busy rejected writes
 * @param filtered table lookups that a Bloom filter avoided
 * @param logBytesWritten bytes appended to logs
 * @param tableBytesWritten bytes of tables that were flushed or merged
 */
public record LsmStatus(
    int tables,
    long tableBytes,
    long memoryBytes,
    long flushes,
    long compactions,
    long syncs,
    long busy,
    long filtered,
    long logBytesWritten,
    long tableBytesWritten) {
  static LsmStatus of(View view, Figures figures) {
    MemTable frozen = view.frozen();
    return new LsmStatus(
        view.tables().size(),
        view.tables().stream().mapToLong(SortedTable::bytes).sum(),
        view.active().bytes() + (frozen == null ? 0 : frozen.bytes()),
        figures.flushes.sum(),
        figures.compactions.sum(),
        figures.syncs.sum(),
        figures.busy.sum(),
        figures.filtered.sum(),
        figures.logBytes.sum(),
        figures.tableBytes.sum());
  }
}
