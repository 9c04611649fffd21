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
 * The file by which clients find a Unix domain socket. It outlives the process that made it, whose
 * successor has to remove it, but nobody else's.
 *
 * <p>Two servers that find the same dead server's file within microseconds of each other may both
 * succeed: the later one has the file then, and the earlier one is not found any more.
 */
final class SocketFile {
  /** Those of the bits of a file's mode that say what it is, and what a socket has there. */
  private static final int KIND = 0xF000;

  private static final int SOCKET = 0xC000;

  private final Path path;
  private final UnixDomain sockets;

  /** What tells our file from another one at the same path; null if we have none. */
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

  /** Whether anybody would accept a connection. */
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
   * Takes the file for ours, which is there since the socket was bound, and says who may connect.
   *
   * @return whether others could connect until now
   */
  boolean protect(Set<PosixFilePermission> permissions) throws IOException {
    ours = key();
    Set<PosixFilePermission> made = Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS);
    Files.setPosixFilePermissions(path, permissions);
    return letsInMore(made, permissions);
  }

  /** Whether somebody may connect by the one who may not by the other; to connect is to write. */
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
   * Removes it if it is ours: to be called while the socket is open, until when no other file can
   * have the same key.
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
      // somebody else has removed it
    }
  }

  private Object key() throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
        .fileKey();
  }
}
