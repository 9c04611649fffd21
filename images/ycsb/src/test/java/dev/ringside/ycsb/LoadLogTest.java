package dev.ringside.ycsb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.ycsb.LoadLog.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadLogTest {
  @TempDir Path folder;

  @Test
  void shouldLogServiceTimesInNanoseconds() throws Exception {
    Map<String, Histogram> logged = log(false);
    assertEquals(1, logged.size());
    Histogram service = logged.get("READ-st");
    assertEquals(2, service.getTotalCount());
    assertTrue(service.valuesAreEquivalent(2_000_000, service.getMaxValue()));
  }

  @Test
  void shouldLogResponseTimesFromTheScheduledStart() throws Exception {
    Histogram response = log(true).get("READ-rt");
    assertEquals(2, response.getTotalCount());
    assertTrue(response.valuesAreEquivalent(7_000_000, response.getMaxValue()));
    // Without a schedule yet, an operation was wanted when it began.
    assertTrue(response.valuesAreEquivalent(1_000_000, response.getMinValue()));
  }

  /** Windows of whole intervals end just when an interval is written. */
  @Test
  void shouldKeepTheLogWhenItIsClosedWhileAnIntervalIsWritten() throws Exception {
    for (int i = 0; i < 300; i++) {
      Path file = folder.resolve("load" + i + ".hlog");
      long operations = 0;
      try (LoadLog log = new LoadLog(file, 1, true)) {
        log.start();
        long end = System.nanoTime() + 1_000_000 + 1_000 * i;
        for (long now = System.nanoTime(); now < end; now = System.nanoTime()) {
          log.record(Kind.READ, now, now + 1, 0);
          operations++;
        }
      }
      assertEquals(operations, read(file).get("READ-st").getTotalCount());
    }
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().equals("log")) {
        thread.join(10_000);
        assertFalse(thread.isAlive(), "the log's thread has ended with it");
      }
    }
  }

  private Map<String, Histogram> log(boolean withResponse) throws Exception {
    Path file = folder.resolve("load.hlog");
    try (LoadLog log = new LoadLog(file, 10, withResponse)) {
      log.start();
      long now = System.nanoTime();
      log.record(Kind.READ, now, now + 1_000_000, 0);
      log.record(Kind.READ, now, now + 2_000_000, now - 5_000_000);
    }
    return read(file);
  }

  private static Map<String, Histogram> read(Path file) throws Exception {
    Map<String, Histogram> merged = new TreeMap<>();
    try (HistogramLogReader reader = new HistogramLogReader(Files.newInputStream(file))) {
      for (EncodableHistogram interval = reader.nextIntervalHistogram();
          interval != null;
          interval = reader.nextIntervalHistogram()) {
        merged
            .computeIfAbsent(interval.getTag(), tag -> new Histogram(3))
            .add((Histogram) interval);
      }
    }
    return merged;
  }
}
