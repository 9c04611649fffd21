package dev.ringside.bench.run;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/**
 * Counts the system calls of a process during a task. Uses perf, which slows the process very
 * little, or strace, which slows it a lot but hardly changes the number per request.
 */
final class SyscallCounter {
  /** Lists the tools. */
  enum Tool {
    PERF,
    STRACE,
    NONE
  }

  private static final int SECONDS = 5;

  private final Tool tool;
  private final Path scratch;

  private SyscallCounter(Tool tool, Path scratch) {
    this.tool = tool;
    this.scratch = scratch;
  }

  /** Returns a counter with the best tool that works on this machine. */
  static SyscallCounter find(boolean wanted, Path scratch)
      throws IOException, InterruptedException {
    if (wanted && works(List.of("perf", "stat", "-x,", "-e", "raw_syscalls:sys_enter", "true"))) {
      return new SyscallCounter(Tool.PERF, scratch);
    }
    if (wanted && works(List.of("strace", "-c", "-f", "true"))) {
      return new SyscallCounter(Tool.STRACE, scratch);
    }
    return new SyscallCounter(Tool.NONE, scratch);
  }

  Tool tool() {
    return tool;
  }

  /** Returns the system calls of all threads of a process during a task; empty without a tool. */
  OptionalLong during(long pid, Callable<?> task) throws Exception {
    switch (tool) {
      case PERF:
        return perf(pid, task);
      case STRACE:
        return strace(pid, task);
      default:
        return OptionalLong.empty();
    }
  }

  private OptionalLong perf(long pid, Callable<?> task) throws Exception {
    Path control = fifo("control");
    Path acknowledged = fifo("ack");
    Path out = scratch.resolve("perf.out");
    Process perf =
        new ProcessBuilder(
                "perf",
                "stat",
                "-x,",
                "-e",
                "raw_syscalls:sys_enter",
                "-D",
                "-1",
                "-p",
                Long.toString(pid),
                "-o",
                out.toString(),
                "--control",
                "fifo:" + control + "," + acknowledged)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    // Open for reading and writing, which does not wait for the other end.
    try (RandomAccessFile orders = new RandomAccessFile(control.toFile(), "rw");
        RandomAccessFile answers = new RandomAccessFile(acknowledged.toFile(), "rw")) {
      order(orders, answers, perf, "enable\n");
      task.call();
      order(orders, answers, perf, "disable\n");
    } finally {
      interrupt(perf);
      Files.deleteIfExists(control);
      Files.deleteIfExists(acknowledged);
    }
    for (String line : Files.readAllLines(out, StandardCharsets.UTF_8)) {
      if (line.contains("raw_syscalls:sys_enter")) {
        String count = line.substring(0, line.indexOf(','));
        return count.matches("[0-9]+")
            ? OptionalLong.of(Long.parseLong(count))
            : OptionalLong.empty();
      }
    }
    return OptionalLong.empty();
  }

  private static void order(
      RandomAccessFile orders, RandomAccessFile answers, Process perf, String order)
      throws IOException {
    if (!perf.isAlive()) {
      throw new IOException("perf ended with " + perf.exitValue());
    }
    orders.write(order.getBytes(StandardCharsets.US_ASCII));
    byte[] ack = new byte["ack\n".length()];
    answers.readFully(ack);
  }

  private OptionalLong strace(long pid, Callable<?> task) throws Exception {
    Path out = scratch.resolve("strace.out");
    Process strace =
        new ProcessBuilder("strace", "-c", "-f", "-p", Long.toString(pid), "-o", out.toString())
            .redirectErrorStream(true)
            .start();
    try {
      // strace prints a line when it has attached to the threads.
      strace.inputReader(StandardCharsets.UTF_8).readLine();
      task.call();
    } finally {
      interrupt(strace);
    }
    for (String line : Files.readAllLines(out, StandardCharsets.UTF_8)) {
      String[] words = line.trim().split("\\s+");
      if (words[words.length - 1].equals("total")) {
        return OptionalLong.of(Long.parseLong(words[3]));
      }
    }
    return OptionalLong.empty();
  }

  private static void interrupt(Process process) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
    if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
  }

  private Path fifo(String name) throws IOException, InterruptedException {
    Path path = scratch.resolve(name + ".fifo");
    Files.deleteIfExists(path);
    new ProcessBuilder("mkfifo", path.toString()).start().waitFor();
    return path;
  }

  private static boolean works(List<String> command) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
