package dev.ringside.http.lsm;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Is a disk that fails on request and simulates a crash of the machine: synced data remains, and a
 * random part of the rest. Like Linux, it drops what a sync could not write, and lets the next sync
 * succeed.
 */
final class FaultyDisk implements Disk {
  private final Path root;
  private final Map<Path, Content> names = new HashMap<>();
  private final Map<Path, Content> safeNames = new HashMap<>();
  private final List<Renaming> unsafeNames = new ArrayList<>();
  private final Set<Path> syncedFolders = new HashSet<>();
  private volatile Fault fault = (operation, file) -> {};

  /** Lists the operations that may fail. */
  enum Operation {
    CREATE,
    WRITE,
    SYNC,
    RENAME,
    DELETE,
    SYNC_FOLDER
  }

  /** Decides before each operation whether it fails. */
  interface Fault {
    /** Throws if the operation must fail. */
    void before(Operation operation, Path file) throws IOException;
  }

  /** Is a change of names that no sync covers yet. */
  private interface Renaming {
    void applyTo(Map<Path, Content> names);
  }

  private static final class Content {
    private final ByteArrayOutputStream all = new ByteArrayOutputStream();
    private byte[] safe = {};

    /** Marks all bytes as synced, even if the sync failed to write them. */
    private void sync(boolean succeeds) {
      byte[] bytes = all.toByteArray();
      int before = safe.length;
      safe = Arrays.copyOf(safe, bytes.length);
      if (succeeds) {
        System.arraycopy(bytes, before, safe, before, bytes.length - before);
      }
    }

    private byte[] afterLoss(Random chance) {
      byte[] bytes = all.toByteArray();
      int length = safe.length + chance.nextInt(bytes.length - safe.length + 1);
      byte[] left = Arrays.copyOf(bytes, length);
      System.arraycopy(safe, 0, left, 0, safe.length);
      return left;
    }
  }

  /** Creates the disk of one store. */
  FaultyDisk(Path root) {
    this.root = root.toAbsolutePath();
  }

  Path root() {
    return root;
  }

  /** Sets the failures from now on. */
  void failBy(Fault next) {
    fault = next;
  }

  /** Writes what remains after a crash into another folder. */
  synchronized void loseMachine(Path into, Random chance) throws IOException {
    Files.createDirectories(into);
    if (!syncedFolders.contains(root.getParent())) {
      return;
    }
    Map<Path, Content> left = new HashMap<>(safeNames);
    int changes = chance.nextInt(unsafeNames.size() + 1);
    unsafeNames.subList(0, changes).forEach(change -> change.applyTo(left));
    for (Map.Entry<Path, Content> each : left.entrySet()) {
      Files.write(into.resolve(each.getKey().getFileName()), each.getValue().afterLoss(chance));
    }
  }

  private void rename(Renaming change) {
    change.applyTo(names);
    unsafeNames.add(change);
  }

  @Override
  public Output create(Path file) throws IOException {
    fault.before(Operation.CREATE, file);
    Output real = REAL.create(file);
    Content content = new Content();
    synchronized (this) {
      rename(in -> in.put(file, content));
    }
    return new FaultyOutput(file, real, content);
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    fault.before(Operation.RENAME, from);
    REAL.rename(from, to);
    synchronized (this) {
      rename(in -> in.put(to, in.remove(from)));
    }
  }

  @Override
  public void delete(Path file) throws IOException {
    fault.before(Operation.DELETE, file);
    REAL.delete(file);
    synchronized (this) {
      rename(in -> in.remove(file));
    }
  }

  @Override
  public void sync(Path folder) throws IOException {
    fault.before(Operation.SYNC_FOLDER, folder);
    synchronized (this) {
      syncedFolders.add(folder.toAbsolutePath());
      if (folder.toAbsolutePath().equals(root)) {
        safeNames.clear();
        safeNames.putAll(names);
        unsafeNames.clear();
      }
    }
  }

  private final class FaultyOutput implements Output {
    private final Path file;
    private final Output real;
    private final Content content;

    FaultyOutput(Path file, Output real, Content content) {
      this.file = file;
      this.real = real;
      this.content = content;
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
      ByteBuffer half = from.slice(from.position(), from.remaining() / 2);
      try {
        fault.before(Operation.WRITE, file);
      } catch (IOException | Error e) {
        write0(half);
        throw e;
      }
      return write0(from);
    }

    private int write0(ByteBuffer from) throws IOException {
      byte[] bytes = new byte[from.remaining()];
      from.get(bytes);
      real.write(ByteBuffer.wrap(bytes));
      synchronized (FaultyDisk.this) {
        content.all.writeBytes(bytes);
      }
      return bytes.length;
    }

    @Override
    public void sync() throws IOException {
      try {
        fault.before(Operation.SYNC, file);
      } catch (IOException e) {
        synchronized (FaultyDisk.this) {
          content.sync(false);
        }
        throw e;
      }
      synchronized (FaultyDisk.this) {
        content.sync(true);
      }
    }

    @Override
    public boolean isOpen() {
      return real.isOpen();
    }

    @Override
    public void close() throws IOException {
      real.close();
    }
  }
}
