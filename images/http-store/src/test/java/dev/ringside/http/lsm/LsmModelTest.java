package dev.ringside.http.lsm;

import static dev.ringside.http.lsm.Stores.get;
import static dev.ringside.http.lsm.Stores.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.store.Sync;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Compares the store with a map while tables are flushed and merged. Each thread has its own keys.
 * All read one shared key with a single writer, of which no older value may return.
 */
class LsmModelTest {
  private static final int THREADS = 4;
  private static final int STEPS = 4_000;
  private static final int KEYS = 50;
  private static final String SHARED = "everybody's";
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"1,NEVER", "2,INTERVAL"})
  void shouldAnswerAsAMapWouldWhileTablesComeAndGo(long seed, Sync sync) throws Exception {
    Options options = Stores.options(folder, 4_000, sync);
    List<Map<String, String>> models = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try (Lsm store = Stores.open(options)) {
      List<Future<Map<String, String>>> work = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        work.add(threads.submit(worker(store, thread, new Random(seed * 1000 + thread))));
      }
      for (Future<Map<String, String>> each : work) {
        models.add(each.get());
      }
      assertTrue(store.status().flushes() > 10, store.status()::toString);
      assertTrue(store.status().compactions() > 1, store.status()::toString);
      compare(models, store);
    } finally {
      threads.shutdownNow();
    }
    try (Lsm store = Stores.open(options)) {
      compare(models, store);
    }
  }

  private static Callable<Map<String, String>> worker(Lsm store, int thread, Random random) {
    return () -> {
      Map<String, String> model = new HashMap<>();
      int seen = 0;
      for (int step = 1; step <= STEPS; step++) {
        String key = "thread" + thread + "-" + random.nextInt(KEYS);
        int dice = random.nextInt(10);
        if (dice < 5) {
          String value = "v" + step + "x".repeat(random.nextInt(60));
          put(store, key, value);
          model.put(key, value);
        } else if (dice < 7) {
          put(store, key, null);
          model.remove(key);
        }
        assertEquals(model.get(key), get(store, key), key);
        if (thread == 0) {
          put(store, SHARED, Integer.toString(step));
        }
        String shared = get(store, SHARED);
        int now = shared == null ? 0 : Integer.parseInt(shared);
        assertTrue(now >= seen, "it was " + seen + " and is " + now);
        seen = now;
      }
      return model;
    };
  }

  private static void compare(List<Map<String, String>> models, Lsm store) {
    for (int thread = 0; thread < THREADS; thread++) {
      for (int number = 0; number < KEYS; number++) {
        String key = "thread" + thread + "-" + number;
        assertEquals(models.get(thread).get(key), get(store, key), key);
      }
    }
    assertEquals(Integer.toString(STEPS), get(store, SHARED));
  }
}
