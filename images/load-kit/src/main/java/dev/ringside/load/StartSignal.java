package dev.ringside.load;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.concurrent.TimeUnit;

/**
 * The word by which the loads of several pods begin together: a load that has its connections says
 * so by a file, and finds the instant of the start in another, by the machine's clock. Without
 * {@code RINGSIDE_START} there is nobody to wait for.
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
   * Says that the load is connected and returns at the start; at once where nobody is waited for.
   *
   * @throws LoadFailedException if the start is no instant
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
