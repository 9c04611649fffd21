package dev.ringside.counters;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NativeThreadsTest {
  private static final long SCAN_NANOS = TimeUnit.SECONDS.toNanos(NativeThreads.SCAN_SECONDS);

  @TempDir Path tasks;
  private final GroupTimes times = new GroupTimes();

  @Test
  void shouldReadTheJvmsOwnThreadsByTheKernelsNames() throws IOException {
    NativeThreads threads = new NativeThreads(tasks);
    has(11, "VM Thread", 100);
    has(12, "C2 CompilerThre", 10);
    has(13, "java", 1_000);
    read(threads, 0);
    has(11, "VM Thread", 130);
    read(threads, 1);
    assertEquals(Map.of(CpuGroup.GC, 130L, CpuGroup.COMPILER, 10L), times.totals());
  }

  /** Also between two scans, because the kernel may reuse the number for a Java thread. */
  @Test
  void shouldForgetAThreadThatHasEnded() throws IOException {
    NativeThreads threads = new NativeThreads(tasks);
    has(11, "C1 CompilerThre", 100);
    read(threads, 0);
    ends(11);
    read(threads, 1);
    has(11, "ReadStage-1", 5_000);
    read(threads, 2);
    assertEquals(0, times.threads());
    read(threads, SCAN_NANOS);
    assertEquals(Map.of(CpuGroup.COMPILER, 100L), times.totals());
  }

  @Test
  void shouldLookForNewThreadsNowAndThen() throws IOException {
    NativeThreads threads = new NativeThreads(tasks);
    read(threads, 0);
    has(12, "Gang worker#0 (", 7);
    read(threads, SCAN_NANOS - 1);
    assertEquals(Map.of(), times.totals());
    read(threads, SCAN_NANOS);
    assertEquals(Map.of(CpuGroup.GC, 7L), times.totals());
  }

  @Test
  void shouldKnowNoThreadsWhereTheKernelTellsOfNone() {
    read(new NativeThreads(tasks.resolve("none")), 0);
    assertEquals(Map.of(), times.totals());
  }

  private void read(NativeThreads threads, long nowNanos) {
    threads.read(times, nowNanos);
    times.endReading();
  }

  private void has(int number, String name, long nanos) throws IOException {
    Path task = Files.createDirectories(tasks.resolve(Integer.toString(number)));
    Files.writeString(task.resolve("comm"), name + "\n");
    Files.writeString(task.resolve("schedstat"), nanos + " 42 7\n");
  }

  private void ends(int number) throws IOException {
    Path task = tasks.resolve(Integer.toString(number));
    Files.delete(task.resolve("comm"));
    Files.delete(task.resolve("schedstat"));
    Files.delete(task);
  }
}
