package dev.ringside.http.lsm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogsTest {
  @TempDir Path folder;
  private final LongAdder syncs = new LongAdder();
  private WriteAheadLog first;
  private WriteAheadLog second;

  @BeforeEach
  void open() throws IOException {
    first = new WriteAheadLog(Disk.REAL, folder.resolve("1.log"), syncs);
    second = new WriteAheadLog(Disk.REAL, folder.resolve("2.log"), syncs);
    first.append(Bytes.entry("a", "1"));
  }

  @AfterEach
  void close() throws IOException {
    new Logs(second, first).close();
  }

  @Test
  void shouldSyncTheLogThatWasActiveThoughARotationCameBetween() throws Exception {
    Logs seen = new Logs(first, null);
    Logs after = seen.rotated(second);
    seen.sync();
    assertEquals(1, syncs.sum());
    first.sync();
    assertEquals(1, syncs.sum(), "all of it has reached the disk");
    after.sync();
    assertEquals(2, syncs.sum(), "the other one had not");
  }

  @Test
  void shouldSyncWhatIsFrozenToo() throws Exception {
    new Logs(first, null).rotated(second).sync();
    assertEquals(2, syncs.sum());
  }

  @Test
  void shouldLeaveALogAloneWhoseTableIsThere() throws Exception {
    Logs frozen = new Logs(first, null).rotated(second);
    Logs flushed = frozen.flushed();
    frozen.frozen().remove();
    frozen.sync(); // by a thread that read the logs before the removal
    flushed.sync();
    assertEquals(1, syncs.sum(), "of the second");
  }
}
