package dev.ringside.bench.run;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/** Is a child process that answers each line with one line and ends when its input ends. */
final class LineProcess implements AutoCloseable {
  private static final String END = "\0end";
  private static final int END_SECONDS = 5;

  /** Java adds it to the number of the signal that ended a process, as shells do. */
  private static final int SIGNALLED = 128;

  private static final Map<Integer, String> SIGNALS =
      Map.of(
          4, " (SIGILL)",
          6, " (SIGABRT)",
          7, " (SIGBUS)",
          8, " (SIGFPE)",
          9, " (SIGKILL: the kernel sends it when memory is full)",
          11, " (SIGSEGV)",
          15, " (SIGTERM)");

  private final String name;
  private final Process process;
  private final OutputStream input;
  private final Path log;
  private final BlockingQueue<String> lines = new ArrayBlockingQueue<>(1000);

  LineProcess(String name, List<String> command, Path log) throws IOException {
    this.name = name;
    this.log = log;
    process =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    input = process.getOutputStream();
    Thread reader = new Thread(this::read, name + "-output");
    reader.setDaemon(true);
    reader.start();
  }

  private void read() {
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        lines.put(line);
      }
      lines.put(END);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  long pid() {
    return process.pid();
  }

  /** Sends an order. {@link #answer} must follow; it reports if the process has ended. */
  void send(String order) {
    send((order + "\n").getBytes(StandardCharsets.US_ASCII));
  }

  /** Sends bytes, as {@link #send(String)}. */
  void send(byte[] bytes) {
    try {
      input.write(bytes);
      input.flush();
    } catch (IOException e) {
      // The process has ended. Its last line and its exit status say why, and not this exception.
    }
  }

  /**
   * Sends an order and waits for its answer.
   *
   * @param seconds longest time to wait
   * @throws IOException if no answer arrives in time or the process ended
   */
  String ask(String order, long seconds) throws IOException, InterruptedException {
    send(order);
    return answer(seconds);
  }

  /** Waits for the process's next line and returns it. */
  String answer(long seconds) throws IOException, InterruptedException {
    String line = lines.poll(seconds, TimeUnit.SECONDS);
    if (line == null) {
      throw new IOException(name + " said nothing for " + seconds + " s; see " + log);
    }
    if (line.equals(END)) {
      lines.put(END);
      throw new IOException(name + " " + end() + "; see " + log);
    }
    return line;
  }

  /** Returns how the process ended. */
  private String end() throws InterruptedException {
    if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
      return "closed its output";
    }
    int signal = process.exitValue() - SIGNALLED;
    return signal > 0
        ? "was ended by signal " + signal + SIGNALS.getOrDefault(signal, "")
        : "ended with status " + process.exitValue();
  }

  @Override
  public void close() {
    try {
      input.close();
      if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (IOException e) {
      process.destroyForcibly();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
