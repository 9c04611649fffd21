package dev.ringside.store;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * The CPU time of all threads of the process in ns, the JVM's own among them, by the scheduler's
 * count: exact for a thread that does not run at the moment, up to a clock tick old (some 4 ms) for
 * one that does. What Java tells goes in ticks of 10 ms. Some 10 µs per thread and reading. For one
 * thread at a time.
 */
final class ThreadTimes {
  private final Path tasks;
  private Map<String, Long> before = new HashMap<>();
  private long ended;

  /** Of the folder of a process's threads, as {@code /proc/self/task}. */
  ThreadTimes(Path tasks) {
    this.tasks = tasks;
  }

  /**
   * The sum since the process began. Of a thread that has ended it holds what was read of it last,
   * so that it never falls.
   *
   * @throws IOException where the kernel does not tell
   */
  long nanos() throws IOException {
    Map<String, Long> now = new HashMap<>();
    long running = 0;
    try (DirectoryStream<Path> all = Files.newDirectoryStream(tasks)) {
      for (Path task : all) {
        long nanos = nanosOf(task);
        if (nanos >= 0) {
          now.put(task.getFileName().toString(), nanos);
          running += nanos;
        }
      }
    }
    for (Map.Entry<String, Long> was : before.entrySet()) {
      // A number that a younger thread has: the older one has ended.
      if (now.getOrDefault(was.getKey(), -1L) < was.getValue()) {
        ended += was.getValue();
      }
    }
    before = now;
    return ended + running;
  }

  /** -1 for a thread that has ended meanwhile. */
  private static long nanosOf(Path task) {
    try {
      String text = Files.readString(task.resolve("schedstat"), StandardCharsets.US_ASCII);
      return Long.parseLong(text.split(" ", 2)[0]);
    } catch (IOException | NumberFormatException e) {
      return -1;
    }
  }
}
