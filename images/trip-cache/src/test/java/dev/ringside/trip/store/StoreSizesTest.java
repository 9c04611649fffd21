package dev.ringside.trip.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.store.HostedServer;
import dev.ringside.store.Sync;
import dev.ringside.trip.cache.Caches;
import dev.ringside.trip.cache.Folders;
import dev.ringside.trip.stream.Point;
import dev.ringside.trip.stream.PointKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoreSizesTest {
  private static final long TRIP_BYTES = 8 + 1 + 2 * 16;
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {Caches.ROCKSDB, Caches.LMDB})
  void shouldTellWhatIsThereAndHowLongItsFilesAre(String type) throws IOException {
    try (TripServer server = open(type)) {
      assertEquals(0, StoreSizes.of(List.of(server)).get("live_bytes"), "nothing was put");
      fill(server, 0, 2_000);
      Map<String, Long> sizes = StoreSizes.of(List.of(server));
      assertEquals(2_000 * TRIP_BYTES, sizes.get("live_bytes"));
      assertTrue(sizes.get("disk_bytes") >= 2_000 * TRIP_BYTES, sizes::toString);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {Caches.ROCKSDB, Caches.LMDB})
  void shouldNotKnowWhatIsThereWhenSomethingWas(String type) throws IOException {
    try (TripServer server = open(type)) {
      fill(server, 0, 1);
    }
    try (TripServer server = open(type)) {
      fill(server, 1, 2);
      assertEquals(Set.of("disk_bytes"), StoreSizes.of(List.of(server)).keySet());
    }
  }

  @Test
  void shouldTellNoFilesOfACacheThatHasNone() throws IOException {
    try (TripServer server = open(Caches.HEAP)) {
      fill(server, 0, 10);
      assertEquals(Map.of("live_bytes", 10 * TRIP_BYTES), StoreSizes.of(List.of(server)));
    }
  }

  @Test
  void shouldTellNothingOfSeveralServers() throws IOException {
    try (TripServer one = open(Caches.HEAP);
        TripServer other = open(Caches.LMDB)) {
      assertEquals(Map.of(), StoreSizes.of(List.of(one, other)));
    }
  }

  @Test
  void shouldAddUpTheFilesOfAFolderAndThoseInIt() throws IOException {
    Files.write(folder.resolve("one"), new byte[5]);
    Files.write(Files.createDirectory(folder.resolve("in")).resolve("two"), new byte[7]);
    assertEquals(12, FolderLength.of(folder));
  }

  private TripServer open(String type) throws IOException {
    return new TripServer(
        new HostedServer(type, 0),
        "127.0.0.1",
        new ServerOptions(1, 100, Folders.small(folder.resolve(type), Sync.NEVER)),
        line -> {});
  }

  /** Stores trips of two points each. */
  private static void fill(TripServer server, long from, long to) throws IOException {
    for (long trip = from; trip < to; trip++) {
      server.builder().take(new Point(trip, 0, PointKind.BEGIN, 1, 2, 3));
      server.builder().take(new Point(trip, 1, PointKind.END, 4, 5, 6));
    }
  }
}
