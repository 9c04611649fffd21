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
 * RocksDB: a put goes into a log and a table in memory, whose flushes and merges run on threads of
 * RocksDB's own. With the log, what was put survives the process; once it is synced, the machine.
 * Without it, both lose what is in memory alone until it is flushed.
 */
final class RocksCache implements Cache {
  static {
    RocksDB.loadLibrary(); // before any of its objects is made
  }

  private static final Map<String, TickerType> COUNTED = counters();

  // One filter of 10 bits a key lets one look in a hundred at a table that lacks it pass.
  private static final int FILTER_BITS = 10;
  // Its own log of what it does: enough to read after a failure, and no more.
  private static final long INFO_LOG_BYTES = 4 << 20;
  private static final int INFO_LOGS = 2;

  private final boolean wal;
  private final LRUCache blocks;
  private final BloomFilter filter = new BloomFilter(FILTER_BITS);
  // No histograms of its own: they would take the time of each operation.
  private final Statistics statistics = new Statistics(EnumSet.allOf(HistogramType.class));
  private final Options options;
  private final WriteOptions writes;
  private final FlushOptions flushes = new FlushOptions().setWaitForFlush(true);
  private final RocksDB db;

  /** Opens it; replays its log, which takes a second for some hundred MiB. */
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
            // Else it opens without what was synced behind damage in its log, and does not say so.
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

  /** A sync of the log is one for all who wait for it; without the log, a flush of the table. */
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

  /** In the reverse order: they are memory outside of the heap. */
  private void closeOptions() {
    flushes.close();
    writes.close();
    options.close();
    statistics.close();
    filter.close();
    blocks.close();
  }
}
