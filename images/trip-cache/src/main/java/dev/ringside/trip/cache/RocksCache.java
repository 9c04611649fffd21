package dev.ringside.trip.cache;

import java.io.IOException;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.CompressionType;
import org.rocksdb.FlushOptions;
import org.rocksdb.HistogramType;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Statistics;
import org.rocksdb.StatsLevel;
import org.rocksdb.Status;
import org.rocksdb.TickerType;
import org.rocksdb.WALRecoveryMode;
import org.rocksdb.WriteOptions;

/**
 * Stores trips in RocksDB. A put goes to a log and to a table in memory; RocksDB's own threads
 * flush and merge tables.
 *
 * <p>With the log, puts survive the end of the process, and after a sync also a crash of the
 * machine. Without the log, both lose puts that are not flushed yet.
 */
final class RocksCache implements Cache {
  static {
    RocksDB.loadLibrary(); // before any RocksDB object is created
  }

  private static final Map<String, TickerType> COUNTED = counters();

  // With 10 bits per key, the filter passes about 1% of the lookups in tables that lack the key.
  private static final int FILTER_BITS = 10;
  // Limits RocksDB's info log to what helps after a failure.
  private static final long INFO_LOG_BYTES = 4 << 20;
  private static final int INFO_LOGS = 2;

  private final boolean wal;
  private final LRUCache blocks;
  private final BloomFilter filter = new BloomFilter(FILTER_BITS);
  // Excludes all histograms: they would add time to each operation.
  private final Statistics statistics = new Statistics(EnumSet.allOf(HistogramType.class));
  private final Options options;
  private final WriteOptions writes;
  private final FlushOptions flushes = new FlushOptions().setWaitForFlush(true);
  private final RocksDB db;

  /** Opens the database and replays its log. A log of some hundred MiB takes about a second. */
  RocksCache(CacheOptions from) throws IOException {
    wal = from.wal();
    blocks = new LRUCache(from.blockCacheBytes());
    statistics.setStatsLevel(StatsLevel.EXCEPT_DETAILED_TIMERS);
    options =
        new Options()
            .setCreateIfMissing(true)
            .setWriteBufferSize(from.memtableBytes())
            .setCompressionType(type(from.compression()))
            .setIncreaseParallelism(from.parallelism())
            .setStatistics(statistics)
            // The default opens the database without the synced records after damage in the log,
            // and reports nothing.
            .setWalRecoveryMode(WALRecoveryMode.TolerateCorruptedTailRecords)
            .setMaxLogFileSize(INFO_LOG_BYTES)
            .setKeepLogFileNum(INFO_LOGS)
            .setTableFormatConfig(
                new BlockBasedTableConfig().setBlockCache(blocks).setFilterPolicy(filter));
    writes = new WriteOptions().setDisableWAL(!wal).setSync(false);
    try {
      db = RocksDB.open(options, from.folder().toString());
    } catch (RocksDBException e) {
      closeOptions();
      throw new IOException(
          String.format(
              "RocksDB cannot open %s: %s%s",
              from.folder(),
              e.getMessage(),
              isDamage(e) ? "; put the folder back from a copy, or remove it to start empty" : ""),
          e);
    }
  }

  private static boolean isDamage(RocksDBException e) {
    return e.getStatus() != null && e.getStatus().getCode() == Status.Code.Corruption;
  }

  private static CompressionType type(Compression compression) {
    return switch (compression) {
      case NONE -> CompressionType.NO_COMPRESSION;
      case LZ4 -> CompressionType.LZ4_COMPRESSION;
      case ZSTD -> CompressionType.ZSTD_COMPRESSION;
    };
  }

  private static Map<String, TickerType> counters() {
    Map<String, TickerType> counters = new LinkedHashMap<>();
    counters.put("log_written_bytes", TickerType.WAL_FILE_BYTES);
    counters.put("log_syncs", TickerType.WAL_FILE_SYNCED);
    counters.put("flush_written_bytes", TickerType.FLUSH_WRITE_BYTES);
    counters.put("compaction_written_bytes", TickerType.COMPACT_WRITE_BYTES);
    counters.put("compaction_read_bytes", TickerType.COMPACT_READ_BYTES);
    counters.put("block_cache_hits", TickerType.BLOCK_CACHE_HIT);
    counters.put("block_cache_misses", TickerType.BLOCK_CACHE_MISS);
    counters.put("stall_micros", TickerType.STALL_MICROS);
    return counters;
  }

  @Override
  public byte[] get(long key) throws IOException {
    try {
      return db.get(Keys.of(key));
    } catch (RocksDBException e) {
      throw failed("get", e);
    }
  }

  @Override
  public void put(long key, byte[] value) throws IOException {
    try {
      db.put(writes, Keys.of(key), value);
    } catch (RocksDBException e) {
      throw failed("put", e);
    }
  }

  /**
   * Syncs the log, or flushes the table if there is no log. One sync covers all callers that wait.
   */
  @Override
  public void flush() throws IOException {
    try {
      if (wal) {
        db.syncWal();
      } else {
        db.flush(flushes);
      }
    } catch (RocksDBException e) {
      throw failed("flush", e);
    }
  }

  @Override
  public boolean survivesKill() {
    return wal;
  }

  @Override
  public CacheSizes sizes() {
    try {
      return new CacheSizes(
          db.getLongProperty("rocksdb.estimate-num-keys"),
          db.getLongProperty("rocksdb.total-sst-files-size"),
          db.getLongProperty("rocksdb.block-cache-usage")
              + db.getLongProperty("rocksdb.cur-size-all-mem-tables")
              + db.getLongProperty("rocksdb.estimate-table-readers-mem"));
    } catch (RocksDBException e) {
      throw new IllegalStateException("RocksDB does not tell its sizes", e);
    }
  }

  @Override
  public Map<String, Long> counted() {
    Map<String, Long> counted = new LinkedHashMap<>();
    COUNTED.forEach((name, ticker) -> counted.put(name, statistics.getTickerCount(ticker)));
    return counted;
  }

  @Override
  public Class<?> essence() {
    return db.getClass();
  }

  private static IOException failed(String what, RocksDBException e) {
    return new IOException("RocksDB cannot " + what + ": " + e.getMessage(), e);
  }

  @Override
  public void close() throws IOException {
    try {
      flush();
      db.closeE();
    } catch (RocksDBException e) {
      throw failed("close", e);
    } finally {
      closeOptions();
    }
  }

  /** Frees native memory, in the reverse order of allocation. */
  private void closeOptions() {
    flushes.close();
    writes.close();
    options.close();
    statistics.close();
    filter.close();
    blocks.close();
  }
}
