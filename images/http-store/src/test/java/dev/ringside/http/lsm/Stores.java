package dev.ringside.http.lsm;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.store.Sync;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Creates stores for tests, small enough to flush and merge soon. */
final class Stores {
  static final int MERGE_FROM = 4;

  private Stores() {}

  static Options options(Path folder, long flushBytes, Sync sync) {
    return new Options(folder, flushBytes, true, true, MERGE_FROM, sync, 5);
  }

  static Lsm open(Path folder, long flushBytes) throws IOException {
    return open(options(folder, flushBytes, Sync.NEVER));
  }

  static Lsm open(Options options) throws IOException {
    return new Lsm(options, text -> {});
  }

  /** Writes a value, and retries while the store is busy. */
  static void put(Lsm store, String key, String value) throws Exception {
    while (true) {
      try {
        if (value == null) {
          store.remove(Bytes.of(key));
        } else {
          store.put(Bytes.of(key), Bytes.of(value));
        }
        return;
      } catch (BusyException e) {
        Thread.sleep(1);
      }
    }
  }

  static String get(Lsm store, String key) {
    return Bytes.text(store.get(Bytes.of(key)));
  }

  static void await(String what, BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < end, "waited in vain until " + what);
      Thread.sleep(1);
    }
  }
}
