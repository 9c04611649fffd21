package dev.ringside.http.lsm;

import dev.ringside.store.Sync;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/**
 * Implements a small log-structured merge tree. Keys and values are in memory first; the background
 * flushes them to sorted tables.
 *
 * <p>Reads take no lock. Writes take turns, with one system call each. An acknowledged write
 * survives any end of the process; {@link Sync} defines which writes a crash of the machine can
 * lose. Safe for any number of threads.
 */
public final class Lsm implements AutoCloseable {
  private final Options options;
  private final Disk disk;
  private final FolderLock owner;
  private final Folder folder;
  private final TableWriter writer;
  private final Figures figures = new Figures();
  private final Background background;
  private final Object writing = new Object();

  // Written with the lock "writing" held.
  private volatile View view;
  private volatile Logs logs;
  private long generation;
  private volatile Throwable failure;

  /**
   * Opens a store and recovers its data. Reads all tables and logs from the disk.
   *
   * @param say receives lines about the recovery
   * @throws IOException if the folder cannot be used, another store uses it, or it is damaged
   */
  public Lsm(Options options, Consumer<String> say) throws IOException {
    this(options, say, Disk.REAL);
  }

  /** Opens a store on another disk, for tests. */
  Lsm(Options options, Consumer<String> say, Disk disk) throws IOException {
    this.options = options;
    this.disk = disk;
    folder = new Folder(disk, options.folder());
    owner = new FolderLock(options.folder());
    writer = new TableWriter(disk, folder, options.bloom());
    List<SortedTable> tables;
    try {
      tables = new Recovery(folder, writer, say).tables();
      generation = tables.isEmpty() ? 1 : tables.get(0).range().to() + 1;
      logs = new Logs(new WriteAheadLog(disk, folder.log(generation), figures.syncs), null);
    } catch (IOException | RuntimeException e) {
      owner.close();
      throw e;
    }
    view = new View(new MemTable(), null, List.copyOf(tables));
    background = new Background(this::fail);
    if (options.sync() == Sync.INTERVAL) {
      background.every(options.syncMillis(), () -> logs.sync());
    }
    background.compact(this::compact);
  }

  /** Returns the value of a key, or null if there is none. */
  public byte[] get(byte[] key) {
    Entry entry = view.find(key, figures.filtered);
    return entry == null ? null : entry.value();
  }

  /**
   * Writes a value. The store keeps the arrays, so the caller must not change them. Other threads
   * may read the value shortly before this method returns.
   *
   * @throws BusyException if the store cannot accept writes now; nothing was written
   * @throws IOException if the disk failed; the store then accepts no more writes
   */
  public void put(byte[] key, byte[] value) throws IOException, BusyException {
    write(new Entry(key, value));
  }

  /** Removes a key, whether it exists or not. Has the errors of {@link #put}. */
  public void remove(byte[] key) throws IOException, BusyException {
    write(new Entry(key, null));
  }

  private void write(Entry entry) throws IOException, BusyException {
    WriteAheadLog of;
    long length;
    // The order in the log must be the order in memory: otherwise a restart could swap two writes
    // of a key.
    synchronized (writing) {
      if (failure != null) {
        throw new IOException("the store has failed: " + failure, failure);
      }
      try {
        if (full()) {
          rotate();
        }
        of = logs.active();
        length = append(of, entry);
      } catch (IOException | Error e) {
        // The log may end with part of a record. Recovery would find no record after it.
        fail(e);
        throw e;
      }
      view.active().put(entry);
    }
    if (options.sync() == Sync.ALWAYS) {
      sync(of, length);
    }
  }

  /**
   * Reports whether the table or its log is full. Repeated writes of one key keep the table small,
   * but their log grows.
   */
  private boolean full() {
    return Math.max(view.active().bytes(), logs.active().length()) >= options.flushBytes();
  }

  private long append(WriteAheadLog to, Entry entry) throws IOException {
    long before = to.length();
    long length = to.append(entry);
    figures.logBytes.add(length - before);
    return length;
  }

  private void sync(WriteAheadLog of, long length) throws IOException {
    try {
      of.sync(length);
    } catch (IOException | Error e) {
      // The kernel may have dropped what it could not write: a second sync would prove nothing.
      fail(e);
      throw e;
    }
  }

  private void rotate() throws IOException, BusyException {
    if (view.frozen() != null) {
      figures.busy.increment();
      throw new BusyException();
    }
    WriteAheadLog next = new WriteAheadLog(disk, folder.log(generation + 1), figures.syncs);
    generation++;
    logs = logs.rotated(next);
    view = view.rotated();
    background.flush(this::flush);
  }

  private void flush() throws IOException {
    Folder.Range range;
    synchronized (writing) {
      range = new Folder.Range(generation - 1, generation - 1);
    }
    // No other table is frozen before this one is flushed.
    MemTable frozen = view.frozen();
    SortedTable table = writer.write(range, frozen.entries().iterator(), frozen.count());
    figures.flushes.increment();
    figures.tableBytes.add(table.bytes());
    WriteAheadLog flushed;
    synchronized (writing) {
      view = view.flushed(table);
      flushed = logs.frozen();
      logs = logs.flushed();
    }
    flushed.remove();
    background.compact(this::compact);
  }

  private void compact() throws IOException {
    if (!options.compaction()) {
      return;
    }
    List<SortedTable> tables = view.tables();
    List<SortedTable> those =
        Compaction.choose(tables, options.compactFrom(), Compaction.MOST_BYTES);
    if (those.isEmpty()) {
      return;
    }
    SortedTable one = Compaction.merge(those, those.size() == tables.size(), writer);
    figures.compactions.increment();
    figures.tableBytes.add(one.bytes());
    synchronized (writing) {
      view = view.merged(those, one);
    }
    // Readers with an older view have the files mapped, so they can still read them.
    for (SortedTable table : those) {
      folder.remove(table.range());
    }
  }

  private void fail(Throwable cause) {
    if (failure == null) {
      failure = cause;
    }
  }

  /** Returns the failure after which the store accepts no more writes, or null. */
  public Throwable failure() {
    return failure;
  }

  public LsmStatus status() {
    return LsmStatus.of(view, figures);
  }

  /**
   * Waits for background work that is running or queued, and closes the logs. The logs keep the
   * entries that are in no table, including those of a table that could not be written.
   */
  @Override
  public void close() throws IOException {
    synchronized (writing) {
      fail(new IOException("it was closed"));
    }
    background.close();
    try {
      synchronized (writing) {
        if (options.sync() != Sync.NEVER) {
          logs.sync();
        }
      }
    } finally {
      logs.close();
      owner.close();
    }
  }
}
