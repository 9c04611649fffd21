package dev.ringside.trip.store;

import dev.ringside.trip.cache.Caches;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reports how much the store holds now and its size on disk. Leaves out values that are unknown,
 * because 0 would be a measurement. Visits every file of the cache.
 */
final class StoreSizes {
  private StoreSizes() {}

  /**
   * Returns {@code live_bytes} and {@code disk_bytes} of the only server. Returns nothing for
   * several servers, because the values could not be assigned to one.
   */
  static Map<String, Long> of(List<TripServer> servers) {
    if (servers.size() != 1) {
      return Map.of();
    }
    TripServer server = servers.get(0);
    Path folder = server.options().cache().folder();
    try {
      return of(
          server.wasEmpty() ? server.builder().liveBytes() : null,
          Caches.syncs(server.hosted().type()) ? FolderLength.of(folder) : null);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot look at the files in " + folder, e);
    }
  }

  private static Map<String, Long> of(Long live, Long disk) {
    Map<String, Long> sizes = new HashMap<>();
    if (live != null) {
      sizes.put("live_bytes", live);
    }
    if (disk != null) {
      sizes.put("disk_bytes", disk);
    }
    return sizes;
  }
}
