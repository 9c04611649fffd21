package dev.ringside.bench.run;

import dev.ringside.bench.stats.Build;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Is a server's process with its resource usage. */
final class ServerProcess implements AutoCloseable {
  private static final int ANSWER_SECONDS = 30;

  /**
   * Linux reports a process's CPU time to user space in hundredths of a second on all
   * architectures.
   */
  private static final long TICK_NANOS = 10_000_000;

  private final LineProcess process;
  private final int port;
  private final String serverClass;
  private final Build build;

  ServerProcess(LineProcess process, int port, String serverClass, Build build) {
    this.process = process;
    this.port = port;
    this.serverClass = serverClass;
    this.build = build;
  }

  int port() {
    return port;
  }

  long pid() {
    return process.pid();
  }

  String serverClass() {
    return serverClass;
  }

  Build build() {
    return build;
  }

  String ask(String order) throws IOException, InterruptedException {
    return process.ask(order, ANSWER_SECONDS);
  }

  long number(String order) throws IOException, InterruptedException {
    return Long.parseLong(ask(order));
  }

  /** Returns a number, or NaN if the answer is empty. */
  double figure(String order) throws IOException, InterruptedException {
    String answer = ask(order);
    return answer.isEmpty() ? Double.NaN : Double.parseDouble(answer);
  }

  /** Returns the CPU time of all its threads, in user space and in the kernel. */
  long cpuNanos() throws IOException {
    String stat =
        Files.readString(
            Path.of("/proc", Long.toString(process.pid()), "stat"), StandardCharsets.UTF_8);
    // The second field is the program's name in parentheses and may contain spaces.
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * TICK_NANOS;
  }

  @Override
  public void close() {
    process.close();
  }
}
