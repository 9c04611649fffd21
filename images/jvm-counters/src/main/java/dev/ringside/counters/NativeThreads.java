package dev.ringside.counters;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The JVM's native threads, which Java does not list: garbage collectors and compilers. The kernel
 * provides their names (comm, cut to 15 characters) and their CPU time in ns (the first number of
 * schedstat). A reading takes some 10 µs per such thread. Every {@value #SCAN_SECONDS} s a scan for
 * new ones takes the same time per thread of the process. For one thread.
 */
final class NativeThreads {
  static final long SCAN_SECONDS = 60;

  private final Path tasks;
  private Map<Path, CpuGroup> known = new HashMap<>();
  private long scanAt = Long.MIN_VALUE;

  /** Creates the object for the folder of a process's threads, such as {@code /proc/self/task}. */
  NativeThreads(Path tasks) {
    this.tasks = tasks;
  }

  /** Adds the time of each thread; nothing if the kernel does not provide it. */
  void read(GroupTimes into, long nowNanos) {
    if (scanAt == Long.MIN_VALUE || nowNanos - scanAt >= 0) {
      scan();
      scanAt = nowNanos + TimeUnit.SECONDS.toNanos(SCAN_SECONDS);
    }
    // Ended threads are removed, because a Java thread may soon have the same number.
    known.entrySet().removeIf(thread -> !add(into, thread.getKey(), thread.getValue()));
  }

  /** Adds the time of a thread and reports whether the thread still exists. */
  private static boolean add(GroupTimes into, Path task, CpuGroup group) {
    try {
      long nanos = Long.parseLong(text(task.resolve("schedstat")).split(" ", 2)[0]);
      // Negative, because Java numbers its threads differently.
      into.add(-Long.parseLong(task.getFileName().toString()), group, nanos);
      return true;
    } catch (IOException | NumberFormatException e) {
      return false;
    }
  }

  /**
   * Searches for native threads. The threads of the last scan stay if the folder cannot be read to
   * its end.
   */
  private void scan() {
    Map<Path, CpuGroup> found = new HashMap<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(tasks)) {
      for (Path task : all) {
        try {
          CpuGroup group = CpuGroup.ofNative(text(task.resolve("comm")));
          if (group != null) {
            found.put(task, group);
          }
        } catch (IOException e) {
          // the thread has ended
        }
      }
      known = found;
    } catch (IOException | DirectoryIteratorException e) {
      // The folder does not exist on this machine: there are no groups of native threads.
    }
  }

  private static String text(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).trim();
  }
}
