package dev.ringside.http.lsm;

/**
 * A store's figures at a moment; counts are from its start on.
 *
 * @param tables on disk
 * @param tableBytes their size
 * @param memoryBytes what is in memory only, roughly
 * @param flushes tables in memory that went to disk
 * @param compactions merges of tables
 * @param syncs of logs
 * @param busy writes that could not be taken
 * @param filtered tables that a Bloom filter kept a lookup from
 * @param logBytesWritten bytes that were appended to logs
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
