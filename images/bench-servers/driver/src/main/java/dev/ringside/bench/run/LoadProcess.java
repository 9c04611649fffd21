package dev.ringside.bench.run;

import dev.ringside.bench.wire.Delay;
import dev.ringside.bench.wire.EchoFrame;
import dev.ringside.bench.wire.Handler;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Is the load generator with its connections to one server: a process of its own, {@code
 * native/client.c}. It ends with its first failure.
 *
 * <p>Costs a millisecond to start, and two system calls per batch of small replies of a connection,
 * so that it costs less than any server. Each result contains how busy or how late it was. Not
 * thread-safe.
 */
final class LoadProcess implements AutoCloseable {
  /** Longest time without a reply while requests are in flight. */
  static final int STALL_SECONDS = 20;

  /** Time that a window may take longer than its length: the last reply, and a stall. */
  private static final long GRACE_SECONDS = 2 * STALL_SECONDS;

  private static final String DONE = "ok";
  private static final String FAILED = "failed ";

  private final LineProcess process;

  private LoadProcess(LineProcess process) {
    this.process = process;
  }

  /**
   * Starts a process and waits until its connections are open.
   *
   * @param command the program, and what is to start it
   * @param port of a server on this machine
   * @param plainEcho whether the server returns requests unchanged
   * @param stallSeconds usually {@link #STALL_SECONDS}
   * @throws IOException if it fails, or its connections are not open after 40 s
   */
  static LoadProcess start(
      List<String> command, Path log, int port, Cell cell, boolean plainEcho, int stallSeconds)
      throws IOException, InterruptedException {
    Handler handler = cell.handler();
    EchoFrame frame = new EchoFrame(handler);
    List<String> all = new ArrayList<>(command);
    for (Object argument :
        List.of(
            port,
            cell.connections(),
            cell.depth(),
            stallSeconds,
            frame.bytes(),
            frame.sequenceAt(),
            frame.numberAt(),
            frame.delayAt(),
            handler.delay().code(),
            handler.share(false),
            handler.share(true))) {
      all.add(argument.toString());
    }
    LoadProcess load = new LoadProcess(new LineProcess("the load generator", all, log));
    try {
      load.process.send(frame.request(0, Delay.NONE));
      load.process.send(plainEcho ? frame.request(0, Delay.NONE) : frame.reply(0, Delay.NONE));
      load.answer(GRACE_SECONDS);
      return load;
    } catch (IOException | InterruptedException | RuntimeException e) {
      load.close();
      throw e;
    }
  }

  /**
   * Sends load for a time, and waits until all requests are answered. A request is sent when a
   * reply has made room for it.
   *
   * @param turning whether handlers that can turn slow do so at half of the window
   * @throws IOException if a reply is wrong, a connection is closed, no reply arrives for too long,
   *     or the process ends
   */
  WindowResult closed(long millis, boolean turning) throws IOException, InterruptedException {
    return window("closed " + millis + " " + (turning ? 1 : 0), millis);
  }

  /**
   * Makes requests due at a constant rate for a time, and waits until all are answered. If the
   * maximum number is in flight, a request waits to be sent, and its time includes this wait.
   *
   * @see #closed
   */
  WindowResult open(long millis, boolean turning, double perSecond)
      throws IOException, InterruptedException {
    // Requests that are late in the window are answered after it at full speed.
    return window("open " + millis + " " + (turning ? 1 : 0) + " " + perSecond, 2 * millis);
  }

  private WindowResult window(String order, long millis) throws IOException, InterruptedException {
    process.send(order);
    return WindowResult.parse(answer(millis / 1000 + GRACE_SECONDS));
  }

  private String answer(long seconds) throws IOException, InterruptedException {
    String answer = process.answer(seconds);
    if (!answer.startsWith(DONE)) {
      throw new IOException(answer.startsWith(FAILED) ? answer.substring(FAILED.length()) : answer);
    }
    return answer.substring(DONE.length()).trim();
  }

  long pid() {
    return process.pid();
  }

  /** Closes the connections and ends the process. */
  @Override
  public void close() {
    process.close();
  }
}
