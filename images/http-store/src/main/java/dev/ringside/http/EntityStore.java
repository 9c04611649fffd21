package dev.ringside.http;

import dev.ringside.store.Folders;
import dev.ringside.store.Sync;
import java.io.IOException;
import java.util.EnumSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.CompressionType;
import org.rocksdb.HistogramType;
import org.rocksdb.HyperClockCache;
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
 * Keeps values by key in RocksDB.
 *
 * <p>An acknowledged write survives any end of the process; {@link Sync} defines which writes a
 * crash of the machine can lose. A disk error of a write is final: the store then accepts no more
 * writes. Safe for any number of threads.
 */
final class EntityStore implements AutoCloseable {
  static {
    RocksDB.loadLibrary(); // before any RocksDB object is created
  }

  private static final long MIB = 1 << 20;
  // With 10 bits per key, the filter passes about 1% of the lookups in tables that lack the key.
  private static final int FILTER_BITS = 10;
  // Limits RocksDB's info log to what helps after a failure.
  private static final long INFO_LOG_BYTES = 4 * MIB;
  private static final int INFO_LOGS = 2;
  private static final long ANY_BLOCK_SIZE = 0;
  private static final int ANY_SHARDS = -1;
  private static final long CLOSING_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final StorageOptions from;
  private final HyperClockCache blocks;
  private final BloomFilter filter = new BloomFilter(FILTER_BITS);
  // Excludes all histograms: they would add time to each operation.
  private final Statistics statistics = new Statistics(EnumSet.allOf(HistogramType.class));
  private final Options options;
  private final WriteOptions writes;
  private final RocksDB db;
  private final ScheduledExecutorService syncer;

  // A native call on a closed database ends the process. Calls are counted instead of locked out,
  // because a lock would be one more place where workers contend.
  private final LongAdder begun = new LongAdder();
  private final LongAdder ended = new LongAdder();
  private volatile boolean closed;

  private final LongAdder busy = new LongAdder();
  private volatile IOException failure;

  /** Calls the open database. */
  private interface Call<T> {
    T on(RocksDB db) throws RocksDBException;
  }

  /**
   * Opens the folder and replays its log.
   *
   * @throws IOException if the folder cannot be used, another store uses it, or it is damaged
   */
  EntityStore(StorageOptions from) throws IOException {
    this.from = from;
    createFolder();
    // Without locks, so that reading workers do not contend for it.
    blocks = new HyperClockCache(from.blockCacheMiB() * MIB, ANY_BLOCK_SIZE, ANY_SHARDS, false);
    statistics.setStatsLevel(StatsLevel.EXCEPT_DETAILED_TIMERS);
    BlockBasedTableConfig tables = new BlockBasedTableConfig().setBlockCache(blocks);
    if (from.bloom()) {
      tables.setFilterPolicy(filter);
    }
    options =
        new Options()
            .setCreateIfMissing(true)
            .setWriteBufferSize(from.memtableMiB() * MIB)
            .setDisableAutoCompactions(!from.compaction())
            .setCompressionType(CompressionType.NO_COMPRESSION)
            .setStatistics(statistics)
            // One thread writes for all that wait. Waiting threads that spin, or that are woken to
            // insert their own, cost a third more CPU time per write.
            .setEnableWriteThreadAdaptiveYield(false)
            .setAllowConcurrentMemtableWrite(false)
            // The default opens the database without the synced records after damage in the log,
            // and reports nothing.
            .setWalRecoveryMode(WALRecoveryMode.TolerateCorruptedTailRecords)
            .setMaxLogFileSize(INFO_LOG_BYTES)
            .setKeepLogFileNum(INFO_LOGS)
            .setTableFormatConfig(tables);
    // Without a slowdown: a worker that waits for a flush would answer no reads.
    writes = new WriteOptions().setSync(from.sync() == Sync.ALWAYS).setNoSlowdown(true);
    try {
      db = RocksDB.open(options, from.folder().toString());
    } catch (RocksDBException e) {
      closeOptions();
      throw failed("open", e);
    }
    syncer =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "store-sync");
              thread.setDaemon(true);
              return thread;
            });
    if (from.sync() == Sync.INTERVAL) {
      syncer.scheduleWithFixedDelay(
          this::sync, from.syncMillis(), from.syncMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private void createFolder() throws IOException {
    try {
      Folders.create(from.folder());
    } catch (IOException e) {
      throw new IOException(
          "create " + from.folder() + ": " + e + "; choose a folder that this user may write to",
          e);
    }
  }

  /**
   * Returns the value of a key, or null if there is none.
   *
   * @throws IOException if the disk failed, or the store is closed
   */
  byte[] get(byte[] key) throws IOException {
    try {
      return call(open -> open.get(key));
    } catch (RocksDBException e) {
      throw failed("read from", e);
    }
  }

  /**
   * Writes a value.
   *
   * @return false if the store cannot accept writes now, because its tables in memory are full
   *     until a flush has finished; nothing was written
   * @throws IOException if this write or an earlier one failed, or the store is closed
   */
  boolean put(byte[] key, byte[] value) throws IOException {
    return write(
        open -> {
          open.put(writes, key, value);
          return true;
        });
  }

  /** Removes a key, whether it exists or not. Has the result and the errors of {@link #put}. */
  boolean remove(byte[] key) throws IOException {
    return write(
        open -> {
          open.delete(writes, key);
          return true;
        });
  }

  private boolean write(Call<Boolean> call) throws IOException {
    if (failure != null) {
      throw failure;
    }
    try {
      return call(call);
    } catch (RocksDBException e) {
      if (has(e, Status.Code.Incomplete)) {
        busy.increment();
        return false;
      }
      throw fail(failed("write to", e));
    }
  }

  private <T> T call(Call<T> call) throws IOException, RocksDBException {
    begun.increment();
    try {
      if (closed) {
        throw new IOException("use " + from.folder() + ": the store is closed; restart it");
      }
      return call.on(db);
    } finally {
      ended.increment();
    }
  }

  private void sync() {
    try {
      call(
          open -> {
            open.syncWal();
            return null;
          });
    } catch (RocksDBException e) {
      // The kernel may have dropped what it could not write: a second sync would prove nothing.
      fail(failed("sync", e));
    } catch (IOException e) {
      // closed, which syncs
    }
  }

  /** Keeps the first cause. Its thread may be here later than one that met its consequence. */
  private synchronized IOException fail(IOException cause) {
    if (failure == null || isConsequence(failure)) {
      failure = cause;
    }
    return cause;
  }

  /** Reports whether RocksDB refused to use its log, because an earlier write to it had failed. */
  private static boolean isConsequence(IOException failure) {
    return failure.getCause() instanceof RocksDBException e
        && e.getMessage().contains("previous error");
  }

  private IOException failed(String what, RocksDBException e) {
    String fix =
        has(e, Status.Code.Corruption)
            ? "restore the folder from a copy, or remove it to start empty"
            : "check that the disk works and has room, that this user may write to it, and that no"
                + " other process uses it; then restart the store";
    return new IOException(what + " " + from.folder() + ": " + e.getMessage() + "; " + fix, e);
  }

  private static boolean has(RocksDBException e, Status.Code code) {
    return e.getStatus() != null && e.getStatus().getCode() == code;
  }

  /** Returns the error after which the store accepts no more writes, or null. */
  IOException failure() {
    return failure;
  }

  /** Returns the number of writes that {@link #put} and {@link #remove} did not accept. */
  long busy() {
    return busy.sum();
  }

  /** Returns a counter of RocksDB since the store was opened. */
  long counted(TickerType counter) {
    return figure(open -> statistics.getTickerCount(counter));
  }

  /** Returns a whole number that RocksDB knows by that name, such as the size of its tables. */
  long property(String name) {
    return figure(open -> Long.parseLong(open.getProperty(name)));
  }

  private long figure(Call<Long> call) {
    try {
      return call(call);
    } catch (IOException | RocksDBException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Waits for calls that are running, syncs the log if writes are synced at all, and closes. */
  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    syncer.shutdown();
    // What has ended is read first, so that the numbers are equal only if nothing runs.
    while (ended.sum() != begun.sum()) {
      LockSupport.parkNanos(CLOSING_POLL_NANOS);
    }
    try {
      if (from.sync() != Sync.NEVER) {
        db.syncWal();
      }
      db.closeE();
    } catch (RocksDBException e) {
      throw failed("close", e);
    } finally {
      db.close();
      closeOptions();
    }
  }

  /** Frees native memory, in the reverse order of allocation. */
  private void closeOptions() {
    writes.close();
    options.close();
    statistics.close();
    filter.close();
    blocks.close();
  }
}
