package dev.ringside.thrift;

import java.io.IOException;
import java.net.ConnectException;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;

/**
 * Manages the file of a Unix domain socket. It outlives the process that created it; the next
 * server removes it, but never a file of a live server.
 *
 * <p>Two servers that find the same dead server's file within microseconds of each other may both
 * start. The later one then has the file, and clients no longer find the earlier one.
 */
final class SocketFile {
  /** The bits of a file's mode for its type, and their value for a socket. */
  private static final int KIND = 0xF000;

  private static final int SOCKET = 0xC000;

  private final Path path;
  private final UnixDomain sockets;

  /** Identifies this server's file among others at the same path; null if there is none. */
  private Object ours;

  SocketFile(Path path, UnixDomain sockets) {
    this.path = path;
    this.sockets = sockets;
  }

  /**
   * Removes the socket of a server that has ended.
   *
   * @throws IOException if a server listens there, or if the file is no socket
   */
  void clear() throws IOException {
    Object found;
    try {
      found = key();
      int mode = (Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
      if ((mode & KIND) != SOCKET) {
        throw new IOException("there is a file that is no socket: remove it, or give another path");
      }
    } catch (NoSuchFileException e) {
      return;
    }
    if (isListening()) {
      throw new IOException("a server listens there: stop it, or give another path");
    }
    remove(found);
  }

  /** Reports whether a server would accept a connection. */
  private boolean isListening() throws IOException {
    try (SocketChannel client = sockets.openClient()) {
      // A server with a full backlog must not keep us waiting.
      client.configureBlocking(false);
      client.connect(sockets.address(path));
      return true;
    } catch (ConnectException e) {
      return false;
    } catch (IOException e) {
      throw new IOException(
          "whether a server listens there cannot be told ("
              + e.getMessage()
              + "): remove the file if none does, or give another path",
          e);
    }
  }

  /**
   * Records the file that binding the socket created, and sets who may connect.
   *
   * @return whether other users could connect until now
   */
  boolean protect(Set<PosixFilePermission> permissions) throws IOException {
    ours = key();
    Set<PosixFilePermission> made = Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS);
    Files.setPosixFilePermissions(path, permissions);
    return letsInMore(made, permissions);
  }

  /**
   * Reports whether {@code made} lets anybody connect, that is write, whom {@code wanted} does not.
   */
  static boolean letsInMore(Set<PosixFilePermission> made, Set<PosixFilePermission> wanted) {
    EnumSet<PosixFilePermission> more =
        EnumSet.of(
            PosixFilePermission.OWNER_WRITE,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.OTHERS_WRITE);
    more.retainAll(made);
    more.removeAll(wanted);
    return !more.isEmpty();
  }

  /**
   * Removes the file if it is this server's. Call it while the socket is open: until then no other
   * file can have the same key.
   */
  void remove() throws IOException {
    if (ours != null) {
      Object removed = ours;
      ours = null;
      remove(removed);
    }
  }

  private void remove(Object which) throws IOException {
    try {
      if (which.equals(key())) {
        Files.delete(path);
      }
    } catch (NoSuchFileException e) {
      // another process has removed it
    }
  }

  private Object key() throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
        .fileKey();
  }
}
