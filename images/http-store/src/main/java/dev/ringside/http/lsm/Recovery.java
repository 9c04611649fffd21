package dev.ringside.http.lsm;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Recovers the data of a store after any kind of end: each log becomes a table. */
final class Recovery {
  private final Folder folder;
  private final TableWriter writer;
  private final Consumer<String> say;

  Recovery(Folder folder, TableWriter writer, Consumer<String> say) {
    this.folder = folder;
    this.writer = writer;
    this.say = say;
  }

  /**
   * Returns the tables, newest first.
   *
   * @throws IOException if a file is damaged; all remaining data is then kept
   */
  List<SortedTable> tables() throws IOException {
    for (Path aside : folder.setAside()) {
      throw refusal(aside);
    }
    List<SortedTable> newestFirst = new ArrayList<>();
    for (Folder.Range range : folder.tables()) {
      newestFirst.add(0, SortedTable.open(range, folder.table(range)));
    }
    folder.removeLeftovers();
    for (long generation : folder.logs()) {
      Folder.Range range = new Folder.Range(generation, generation);
      Path log = folder.log(generation);
      // A table gets its final name only after all entries of the log are in it and on the disk.
      if (newestFirst.stream().noneMatch(table -> range.within(table.range()))) {
        MemTable entries = replay(log);
        if (!entries.isEmpty()) {
          newestFirst.add(0, writer.write(range, entries.entries().iterator(), entries.count()));
        }
      }
      folder.removeLog(generation);
    }
    return newestFirst;
  }

  /**
   * Reads a log up to its end or an incomplete last record, which was being written when the
   * process or the machine ended. If complete records follow an incomplete one, the log is damaged:
   * all of these writes may have been acknowledged.
   */
  private MemTable replay(Path log) throws IOException {
    MemTable entries = new MemTable();
    ByteBuffer records = read(log);
    for (Entry entry = Records.decode(records); entry != null; entry = Records.decode(records)) {
      entries.put(entry);
    }
    if (Records.findNext(records) >= 0) {
      throw refusal(folder.setAside(log));
    }
    say.accept(
        String.format(
            "%s: %d bytes of log read again, %d of an unfinished record left out",
            log.getFileName(), records.position(), records.remaining()));
    return entries;
  }

  private static ByteBuffer read(Path log) throws IOException {
    try (FileChannel channel = FileChannel.open(log, StandardOpenOption.READ)) {
      return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
    }
  }

  /**
   * Returns the error for a damaged log. Each start reports the same error until an operator
   * restores or truncates the log.
   */
  private IOException refusal(Path aside) throws IOException {
    ByteBuffer records = read(aside);
    while (Records.decode(records) != null) {
      // skip the records before the damage
    }
    int from = records.position();
    int to = Records.findNext(records);
    return new IOException(
        String.format(
            "open the store: %s is damaged in bytes %d to %d, behind which are records that were"
                + " acknowledged; put %s back from a copy and remove the damaged file, or give up"
                + " all writes from there on: truncate -s %d %s && mv %s %s",
            aside,
            from,
            to < 0 ? records.limit() : to,
            folder.nameOf(aside).getFileName(),
            from,
            aside,
            aside,
            folder.nameOf(aside)));
  }
}
