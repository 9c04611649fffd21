package dev.ringside.ycsb;

import static org.junit.jupiter.api.Assertions.assertEquals;
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

  private Map<String, Histogram> log(boolean withResponse) throws Exception {
    Path file = folder.resolve("load.hlog");
    try (LoadLog log = new LoadLog(file, 10, withResponse)) {
      log.start();
      long now = System.nanoTime();
      log.record(Kind.READ, now, now + 1_000_000, 0);
      log.record(Kind.READ, now, now + 2_000_000, now - 5_000_000);
    }
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
