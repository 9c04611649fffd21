package dev.ringside.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
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
    assertTrue(response.valuesAreEquivalent(1_000_000, response.getMinValue()));
  }

  @Test
  void shouldLogFailedOperationsApartWithTheirTimeout() throws Exception {
    Path file = folder.resolve("load.hlog");
    try (LoadLog log = new LoadLog(file, 10, true)) {
      LoadLog.Channel reads = log.channel("READ");
      log.start();
      long due = System.nanoTime() - 50_000_000;
      reads.failed(due, due + 1_000, due, 20_000_000);
    }
    Histogram failed = Logged.merged(file).get("READ-ft");
    assertEquals(1, failed.getTotalCount());
    assertTrue(failed.valuesAreEquivalent(20_000_000, failed.getMaxValue()));
    assertEquals(1, Logged.merged(file).size());
  }

  @Test
  void shouldLogHowLongOperationsWaited() throws Exception {
    Histogram wait = log(true).get("READ-wt");
    assertEquals(2, wait.getTotalCount());
    assertEquals(0, wait.getMinValue());
    assertTrue(wait.valuesAreEquivalent(5_000_000, wait.getMaxValue()));
  }

  /** Windows of whole intervals end at the moment when an interval is written. */
  @Test
  void shouldKeepTheLogWhenItIsClosedWhileAnIntervalIsWritten() throws Exception {
    for (int i = 0; i < 300; i++) {
      Path file = folder.resolve("load" + i + ".hlog");
      long operations = 0;
      try (LoadLog log = new LoadLog(file, 1, true)) {
        LoadLog.Channel reads = log.channel("READ");
        log.start();
        long end = System.nanoTime() + 1_000_000 + 1_000 * i;
        long now;
        do { // at least once, even on a busy machine
          now = System.nanoTime();
          reads.record(now, now + 1, now);
          operations++;
        } while (now < end);
      }
      assertEquals(operations, Logged.merged(file).get("READ-st").getTotalCount());
    }
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().equals("log")) {
        thread.join(10_000);
        assertFalse(thread.isAlive(), "the log's thread has ended with it");
      }
    }
  }

  /** A histogram that several threads resize at once can report too small a size. */
  @Test
  void shouldHaveRoomForTheLongestTimesFromTheStart() throws Exception {
    Path file = folder.resolve("load.hlog");
    long hour = TimeUnit.HOURS.toNanos(1);
    try (LoadLog log = new LoadLog(file, 10, false)) {
      LoadLog.Channel reads = log.channel("READ");
      LoadLog.Channel writes = log.channel("WRITE");
      log.start();
      reads.record(0, 1_000, 0);
      writes.record(0, 2 * hour, 0);
    }
    for (Histogram line : Logged.lines(file)) {
      assertTrue(line.getHighestTrackableValue() >= hour, line.getTag());
    }
    Histogram write = Logged.merged(file).get("WRITE-st");
    assertTrue(write.valuesAreEquivalent(hour, write.getMaxValue()));
  }

  private Map<String, Histogram> log(boolean scheduled) throws Exception {
    Path file = folder.resolve("load.hlog");
    try (LoadLog log = new LoadLog(file, 10, scheduled)) {
      LoadLog.Channel reads = log.channel("READ");
      log.start();
      long now = System.nanoTime();
      reads.record(now, now + 1_000_000, now);
      reads.record(now, now + 2_000_000, now - 5_000_000);
    }
    return Logged.merged(file);
  }
}
