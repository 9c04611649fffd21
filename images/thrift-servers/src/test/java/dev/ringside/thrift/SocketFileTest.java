package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@EnabledForJreRange(min = JRE.JAVA_16)
final class SocketFileTest {
  @TempDir Path folder;

  private UnixDomain sockets;
  private Path path;
  private SocketFile file;

  @BeforeEach
  void setUp() {
    sockets = UnixDomain.sockets();
    path = folder.resolve("thrift.sock");
    file = new SocketFile(path, sockets);
  }

  private ServerSocketChannel listen() throws IOException {
    ServerSocketChannel server = sockets.openServer();
    server.bind(sockets.address(path));
    return server;
  }

  @Test
  void shouldFindNothingToRemove() throws Exception {
    file.clear();
    file.remove();
    assertFalse(Files.exists(path));
  }

  @Test
  void shouldRemoveWhatADeadServerHasLeft() throws Exception {
    listen().close();
    assertTrue(Files.exists(path));
    file.clear();
    assertFalse(Files.exists(path));
  }

  @Test
  void shouldLeaveAServerThatListens() throws Exception {
    try (ServerSocketChannel server = listen()) {
      assertEquals(
          "a server listens there: stop it, or give another path",
          assertThrows(IOException.class, file::clear).getMessage());
      assertTrue(server.isOpen());
      assertTrue(Files.exists(path));
    }
  }

  /** A blocking connect would wait. */
  @Test
  void shouldLeaveAServerThatIsTooBusyToAccept() throws Exception {
    try (ServerSocketChannel server = sockets.openServer()) {
      server.bind(sockets.address(path), 1);
      for (int i = 0; i < 4; i++) {
        assertThrows(IOException.class, file::clear);
      }
      assertTrue(Files.exists(path));
    }
  }

  @Test
  void shouldLeaveAFileThatIsNoSocket() throws Exception {
    byte[] text = Bytes.of("somebody's");
    Files.write(path, text);
    assertEquals(
        "there is a file that is no socket: remove it, or give another path",
        assertThrows(IOException.class, file::clear).getMessage());
    assertArrayEquals(text, Files.readAllBytes(path));
  }

  @Test
  void shouldLeaveALink() throws Exception {
    Files.createSymbolicLink(path, folder.resolve("nowhere"));
    assertThrows(IOException.class, file::clear);
    assertTrue(Files.isSymbolicLink(path));
  }

  @Test
  void shouldSayWhoMayConnect() throws Exception {
    try (ServerSocketChannel server = listen()) {
      file.protect(PosixFilePermissions.fromString("rw-rw----"));
      assertTrue(server.isOpen());
      assertEquals(
          "rw-rw----",
          PosixFilePermissions.toString(
              Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS)));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "rwxr-xr-x, rw-------, false",
    "rwxrwxr-x, rw-------, true",
    "rwxrwxrwx, rw-rw----, true",
    "rwxrwxr-x, rw-rw----, false",
    "rwxrwxrwx, rw-rw-rw-, false",
    "rwx------, rw-rw-rw-, false"
  })
  void shouldTellWhetherMoreCouldConnectThanMay(String made, String wanted, boolean more) {
    assertEquals(
        more,
        SocketFile.letsInMore(
            PosixFilePermissions.fromString(made), PosixFilePermissions.fromString(wanted)));
  }

  @Test
  void shouldRemoveItsOwnFile() throws Exception {
    try (ServerSocketChannel server = listen()) {
      file.protect(PosixFilePermissions.fromString("rw-------"));
      file.remove();
      assertFalse(Files.exists(path));
      assertTrue(server.isOpen());
    }
  }

  @Test
  void shouldLeaveTheFileOfWhoCameAfterIt() throws Exception {
    try (ServerSocketChannel mine = listen()) {
      file.protect(PosixFilePermissions.fromString("rw-------"));
      Files.delete(path);
      try (ServerSocketChannel theirs = listen()) {
        file.remove();
        assertTrue(Files.exists(path));
        assertTrue(mine.isOpen() && theirs.isOpen());
      }
    }
  }
}
