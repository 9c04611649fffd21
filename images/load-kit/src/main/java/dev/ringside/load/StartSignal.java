package dev.ringside.load;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.concurrent.TimeUnit;

/**
 * The signal with which the loads of several pods begin at the same time. A connected load creates
 * one file, and reads the time of the start from another, by the machine's clock. Without {@code
 * RINGSIDE_START} the load begins at once.
 */
public final class StartSignal {
  private static final String START = "RINGSIDE_START";
  private static final String READY_SUFFIX = ".ready";
  private static final long POLL_MILLIS = 5;

  private final Path file;

  StartSignal(OrderSource in) {
    file = in.has(START) ? Paths.get(in.text(START, "")) : null;
  }

  /**
   * Reports that the load is connected, and returns at the start, or at once without a signal.
   *
   * @throws LoadFailedException if the content of the file is not a time
   */
  public void await() throws IOException, LoadFailedException, InterruptedException {
    if (file == null) {
      return;
    }
    Files.write(Paths.get(file + READY_SUFFIX), new byte[0]);
    while (!Files.exists(file)) {
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
    String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8).trim();
    try {
      long left = Long.parseLong(text) - System.currentTimeMillis();
      Clock.SYSTEM.sleepUntil(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(left));
    } catch (NumberFormatException e) {
      throw new LoadFailedException("the start in " + file + " is '" + text + "', no instant", e);
    }
  }
}
