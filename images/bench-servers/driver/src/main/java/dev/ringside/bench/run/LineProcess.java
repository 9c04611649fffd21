package dev.ringside.bench.run;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/** Is a child process that answers each line with one line and ends when its input ends. */
final class LineProcess implements AutoCloseable {
  private static final String END = "\0end";
  private static final int END_SECONDS = 5;

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

  void send(String order) throws IOException {
    input.write((order + "\n").getBytes(StandardCharsets.US_ASCII));
    input.flush();
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
      throw new IOException(name + " ended; see " + log);
    }
    return line;
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
