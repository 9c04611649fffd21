package dev.ringside.http.lsm;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;

/** Writes tables. A table gets its final name after it is complete and on the disk. */
final class TableWriter {
  private static final int BUFFER = 1 << 16;

  private final Disk disk;
  private final Folder folder;
  private final boolean bloom;

  TableWriter(Disk disk, Folder folder, boolean bloom) {
    this.disk = disk;
    this.folder = folder;
    this.bloom = bloom;
  }

  /**
   * Writes a table and opens it. Blocks until it is on the disk.
   *
   * @param entries in the order of their keys, without duplicate keys
   * @param atMost upper limit of the number of entries
   * @throws IOException also if the table would reach 2 GiB
   */
  SortedTable write(Folder.Range range, Iterator<Entry> entries, int atMost) throws IOException {
    Path unfinished = folder.unfinished(range);
    try (Disk.Output output = disk.create(unfinished)) {
      CheckedOutputStream sum =
          new CheckedOutputStream(Channels.newOutputStream(output), new CRC32C());
      DataOutputStream out = new DataOutputStream(new BufferedOutputStream(sum, BUFFER));
      write(out, entries, atMost);
      out.flush();
      out.writeInt((int) sum.getChecksum().getValue());
      out.writeInt(SortedTable.MAGIC);
      out.flush();
      output.sync();
    }
    Path file = folder.table(range);
    disk.rename(unfinished, file);
    disk.sync(file.getParent());
    return SortedTable.open(range, file);
  }

  private void write(DataOutputStream out, Iterator<Entry> entries, int atMost) throws IOException {
    ByteBuffer offsets = ByteBuffer.allocate(Math.multiplyExact(atMost, Integer.BYTES));
    BloomFilter filter = bloom ? new BloomFilter(atMost) : null;
    long offset = 0;
    while (entries.hasNext()) {
      Entry entry = entries.next();
      offsets.putInt(checked(offset));
      offset += write(out, entry);
      if (filter != null) {
        filter.add(entry.key());
      }
    }
    int count = offsets.position() / Integer.BYTES;
    out.write(offsets.array(), 0, offsets.position());
    ByteBuffer bits = filter == null ? ByteBuffer.allocate(0) : filter.bytes();
    out.write(bits.array());
    checked(offset + offsets.position() + bits.capacity() + SortedTable.FOOTER);
    out.writeInt(count);
    out.writeInt(checked(offset));
    out.writeInt(bits.capacity());
  }

  private static int write(DataOutputStream out, Entry entry) throws IOException {
    byte[] value = entry.value();
    out.writeInt(entry.key().length);
    out.writeInt(value == null ? Records.REMOVED : value.length);
    out.write(entry.key());
    if (value != null) {
      out.write(value);
    }
    return SortedTable.ENTRY_HEAD + entry.key().length + (value == null ? 0 : value.length);
  }

  private static int checked(long offset) throws IOException {
    if (offset > Integer.MAX_VALUE) {
      throw new IOException("a table would reach 2 GiB: flush smaller tables");
    }
    return (int) offset;
  }
}
