package dev.ringside.bench.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Holds what the live threads of a process have done so far. Threads that end take theirs with
 * them. Costs two reads of a file per thread.
 *
 * @param cpuNanos CPU time
 * @param wakeups how often a thread gave up its core to wait, which is how often one was woken
 */
record Activity(long cpuNanos, long wakeups) {
  private static final String SWITCHES = "voluntary_ctxt_switches:";

  static Activity of(long pid) throws IOException {
    long cpuNanos = 0;
    long wakeups = 0;
    try (Stream<Path> tasks = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
      for (Path task : tasks.toList()) {
        try {
          cpuNanos += cpuNanos(read(task.resolve("schedstat")).get(0));
          wakeups += wakeups(read(task.resolve("status")));
        } catch (NoSuchFileException e) {
          // the thread has ended
        }
      }
    }
    return new Activity(cpuNanos, wakeups);
  }

  private static List<String> read(Path file) throws IOException {
    return Files.readAllLines(file, StandardCharsets.UTF_8);
  }

  /** Parses a line of: time on a core, time waiting for one, number of time slices. */
  static long cpuNanos(String schedstat) {
    return Long.parseLong(schedstat.substring(0, schedstat.indexOf(' ')));
  }

  /** Finds the number in the lines of a thread's status. */
  static long wakeups(List<String> status) {
    return status.stream()
        .filter(line -> line.startsWith(SWITCHES))
        .mapToLong(line -> Long.parseLong(line.substring(SWITCHES.length()).trim()))
        .sum();
  }
}
