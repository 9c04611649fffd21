package dev.ringside.http.lsm;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Finds what a store held when it ended, in whatever way it did: each log becomes a table. */
final class Recovery {
  private final Folder folder;
  private final TableWriter writer;
  private final Consumer<String> say;

  Recovery(Folder folder, TableWriter writer, Consumer<String> say) {
    this.folder = folder;
    this.writer = writer;
    this.say = say;
  }

  /** The tables, the newest first. */
  List<SortedTable> tables() throws IOException {
    List<SortedTable> newestFirst = new ArrayList<>();
    for (Folder.Range range : folder.tables()) {
      newestFirst.add(0, SortedTable.open(range, folder.table(range)));
    }
    for (long generation : folder.logs()) {
      Folder.Range range = new Folder.Range(generation, generation);
      Path log = folder.log(generation);
      // A table has its name only once all of the log is in it and on the disk.
      if (newestFirst.stream().noneMatch(table -> range.within(table.range()))) {
        MemTable entries = replay(log);
        if (!entries.isEmpty()) {
          newestFirst.add(0, writer.write(range, entries.entries().iterator(), entries.count()));
        }
      }
      Files.delete(log);
    }
    return newestFirst;
  }

  /**
   * Reads a log up to its end, or to the first record that is not whole: nothing behind that was
   * acknowledged.
   */
  private MemTable replay(Path log) throws IOException {
    MemTable entries = new MemTable();
    try (FileChannel channel = FileChannel.open(log, StandardOpenOption.READ)) {
      ByteBuffer records = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
      for (Entry entry = Records.decode(records); entry != null; entry = Records.decode(records)) {
        entries.put(entry);
      }
      say.accept(
          String.format(
              "%s: %d bytes of log read again, %d of an unfinished record left out",
              log.getFileName(), records.position(), records.remaining()));
    }
    return entries;
  }
}
