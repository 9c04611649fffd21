package dev.ringside.trip.cache;

import static org.lmdbjava.DbiFlags.MDB_CREATE;
import static org.lmdbjava.EnvFlags.MDB_NORDAHEAD;
import static org.lmdbjava.EnvFlags.MDB_NOSYNC;
import static org.lmdbjava.EnvFlags.MDB_NOTLS;

import dev.ringside.store.Folders;
import dev.ringside.store.Sync;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.lmdbjava.ByteArrayProxy;
import org.lmdbjava.Dbi;
import org.lmdbjava.Env;
import org.lmdbjava.EnvFlags;
import org.lmdbjava.EnvInfo;
import org.lmdbjava.LmdbException;
import org.lmdbjava.Stat;
import org.lmdbjava.Txn;

/**
 * Stores trips in LMDB: a B+ tree in one mapped file. One thread at a time writes pages; readers do
 * not wait.
 *
 * <p>LMDB has no log. Each put is a transaction; when it returns, the kernel has its pages, so it
 * survives the end of the process. To survive a crash of the machine, each put must be synced
 * before the next begins ({@link Sync#ALWAYS}). With later syncs, LMDB does not guarantee that the
 * file is usable after such a crash.
 */
final class LmdbCache implements Cache {
  private static final String DATABASE = "trips";
  private static final int MAX_READERS = 1024;

  private final CacheOptions options;
  private final boolean syncsEachPut;
  private final Env<byte[]> env;
  private final Dbi<byte[]> trips;

  /** Opens the file; reads no values. */
  LmdbCache(CacheOptions options) throws IOException {
    this.options = options;
    syncsEachPut = options.sync() == Sync.ALWAYS;
    try {
      env =
          Env.create(ByteArrayProxy.PROXY_BA)
              .setMapSize(options.mapBytes())
              .setMaxDbs(1)
              .setMaxReaders(MAX_READERS)
              .open(options.folder().toFile(), flags(options));
      trips = env.openDbi(DATABASE, MDB_CREATE);
      Folders.sync(options.folder()); // LMDB syncs its file, but not the name of a new file
    } catch (LmdbException e) {
      throw new IOException("LMDB cannot open " + options.folder() + ": " + e.getMessage(), e);
    }
  }

  private static EnvFlags[] flags(CacheOptions options) {
    // Assigns a reader's slot to its transaction instead of its thread.
    Set<EnvFlags> flags = EnumSet.of(MDB_NOTLS);
    if (options.sync() != Sync.ALWAYS) {
      flags.add(MDB_NOSYNC);
    }
    if (!options.readAhead()) {
      flags.add(MDB_NORDAHEAD);
    }
    return flags.toArray(EnvFlags[]::new);
  }

  @Override
  public byte[] get(long key) throws IOException {
    try (Txn<byte[]> txn = env.txnRead()) {
      return trips.get(txn, Keys.of(key));
    } catch (LmdbException e) {
      throw failed("get", e);
    }
  }

  @Override
  public void put(long key, byte[] value) throws IOException {
    try {
      trips.put(Keys.of(key), value);
    } catch (Env.MapFullException e) {
      throw new IOException(
          String.format(
              "LMDB's map of %d MiB is full: give it a larger one", options.mapBytes() >> 20),
          e);
    } catch (LmdbException e) {
      throw failed("put", e);
    }
  }

  @Override
  public void flush() throws IOException {
    if (syncsEachPut) {
      return;
    }
    try {
      env.sync(true);
    } catch (LmdbException e) {
      throw failed("sync", e);
    }
  }

  @Override
  public boolean survivesKill() {
    return true;
  }

  @Override
  public CacheSizes sizes() {
    EnvInfo info = env.info();
    Stat stat;
    try (Txn<byte[]> txn = env.txnRead()) {
      stat = trips.stat(txn);
    }
    return new CacheSizes(stat.entries, (info.lastPageNumber + 1) * stat.pageSize, 0);
  }

  @Override
  public Map<String, Long> counted() {
    return Map.of("transactions", env.info().lastTransactionId);
  }

  @Override
  public Class<?> essence() {
    return env.getClass();
  }

  private static IOException failed(String what, LmdbException e) {
    return new IOException("LMDB cannot " + what + ": " + e.getMessage(), e);
  }

  @Override
  public void close() throws IOException {
    flush();
    env.close();
  }
}
