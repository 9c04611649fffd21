package dev.ringside.cassandra.counters;

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
 * The JVM's own threads, which Java does not show: collectors, compilers. The kernel has their
 * names (comm, cut off after 15 characters) and their CPU time in ns (the first number of
 * schedstat). Some 10 µs for each at every reading, and as much for every thread of the process
 * once in {@value #SCAN_SECONDS} s, when new ones are looked for. For one thread.
 */
final class NativeThreads {
  static final long SCAN_SECONDS = 60;

  private final Path tasks;
  private Map<Path, CpuGroup> known = new HashMap<>();
  private long scanAt = Long.MIN_VALUE;

  /** Of the folder of a process's threads, as {@code /proc/self/task}. */
  NativeThreads(Path tasks) {
    this.tasks = tasks;
  }

  /** Adds the time of each; nothing where the kernel does not tell. */
  void read(GroupTimes into, long nowNanos) {
    if (scanAt == Long.MIN_VALUE || nowNanos - scanAt >= 0) {
      scan();
      scanAt = nowNanos + TimeUnit.SECONDS.toNanos(SCAN_SECONDS);
    }
    // One that has ended is forgotten: its number may soon be that of a thread of Java's.
    known.entrySet().removeIf(thread -> !add(into, thread.getKey(), thread.getValue()));
  }

  /** Whether the thread is still there. What is not known of it is the rest's. */
  private static boolean add(GroupTimes into, Path task, CpuGroup group) {
    try {
      long nanos = Long.parseLong(text(task.resolve("schedstat")).split(" ", 2)[0]);
      // Negative: Java's numbers of its threads are others.
      into.add(-Long.parseLong(task.getFileName().toString()), group, nanos);
      return true;
    } catch (IOException | NumberFormatException e) {
      return false;
    }
  }

  /** Those known before stay where the folder cannot be read to its end. */
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
          // It has ended meanwhile.
        }
      }
      known = found;
    } catch (IOException | DirectoryIteratorException e) {
      // No such folder here: there are no groups of native threads.
    }
  }

  private static String text(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).trim();
  }
}
