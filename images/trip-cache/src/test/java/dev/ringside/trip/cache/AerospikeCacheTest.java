package dev.ringside.trip.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests without an Aerospike server: the cache accepts no other server. */
@Timeout(60)
class AerospikeCacheTest {
  @TempDir Path folder;

  @Test
  void shouldSayThatThereIsNoServer() throws IOException {
    int nobody;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      nobody = free.getLocalPort();
    }
    assertRefused(nobody);
  }

  @Test
  void shouldNotTakeAnotherForAServer() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
      Thread answers = new Thread(() -> answer(other));
      answers.setDaemon(true);
      answers.start();
      assertRefused(other.getLocalPort());
    }
  }

  /** Answers every request in HTTP. */
  private static void answer(ServerSocket listener) {
    while (!listener.isClosed()) {
      try (Socket client = listener.accept()) {
        client.getInputStream().read();
        client
            .getOutputStream()
            .write("HTTP/1.1 400 ?\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      } catch (IOException e) {
        // the client has closed the connection, or the test is over
      }
    }
  }

  private void assertRefused(int port) {
    CacheOptions options =
        Folders.at(folder.resolve("trips"), new AerospikeAddress("127.0.0.1", port, "trips"));
    IOException refusal =
        assertThrows(IOException.class, () -> new AerospikeCache(options, Duration.ZERO));
    assertTrue(
        refusal
            .getMessage()
            .startsWith("no Aerospike server answers at 127.0.0.1:" + port + ": start one there"),
        refusal::getMessage);
  }

  @Test
  void shouldReadTheFiguresThatAServerTells() {
    assertEquals(
        Map.of("objects", 7L, "data_used_bytes", 4096L),
        AerospikeCache.numbers(
            "ns_cluster_size=;objects=7;data_used_bytes=4096;storage-engine=device;x=-1;stop"));
  }
}
