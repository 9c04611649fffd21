package dev.ringside.http.lsm;

import dev.ringside.store.Sync;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/**
 * A small log-structured merge tree: keys and values in memory first, flushed in the background to
 * sorted tables. Reads wait for nobody; writes take turns, one system call each. Nothing that was
 * acknowledged is lost when the process ends, in whatever way; {@link Sync} says what the end of
 * the machine may cost. For any number of threads.
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

  // Written by whoever holds the lock "writing".
  private volatile View view;
  private volatile Logs logs;
  private long generation;
  private volatile Throwable failure;

  /**
   * Opens a store, and finds what it held. Takes as long as reading that from the disk does.
   *
   * @param say for what was found
   * @throws IOException if the folder cannot be used, another process uses it, or it is damaged
   */
  public Lsm(Options options, Consumer<String> say) throws IOException {
    this(options, say, Disk.REAL);
  }

  /** The same on another disk. */
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

  /** The value, or null if there is none. */
  public byte[] get(byte[] key) {
    Entry entry = view.find(key, figures.filtered);
    return entry == null ? null : entry.value();
  }

  /**
   * Writes a value, which is kept as it is and must not be changed. Another thread may read it a
   * moment before this returns.
   *
   * @throws BusyException if it cannot be taken now; nothing was written
   * @throws IOException if the disk failed; the store takes no writes any more
   */
  public void put(byte[] key, byte[] value) throws IOException, BusyException {
    write(new Entry(key, value));
  }

  /** Removes a key, whether it is there or not; else as {@link #put}. */
  public void remove(byte[] key) throws IOException, BusyException {
    write(new Entry(key, null));
  }

  private void write(Entry entry) throws IOException, BusyException {
    WriteAheadLog of;
    long length;
    // The order in the log is the order in memory, or a restart could turn two writes of a key
    // around.
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
        // Part of a record may be there now, behind which nothing would be found again.
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
   * Writes of one key over and over leave the table small, and its log as long as they are many.
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
      // What the kernel could not write it may have dropped: a second sync would prove nothing.
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
    // Readers that still have an older view have the files mapped.
    for (SortedTable table : those) {
      folder.remove(table.range());
    }
  }

  private void fail(Throwable cause) {
    if (failure == null) {
      failure = cause;
    }
  }

  /** Why the store takes no writes any more; null while it does. */
  public Throwable failure() {
    return failure;
  }

  /** Its figures. */
  public LsmStatus status() {
    return LsmStatus.of(view, figures);
  }

  /**
   * Ends the background's work, after what is under way, and the logs. What is in memory only is in
   * them; one whose table could not be written is there still.
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
