package dev.ringside.bench.client;

import dev.ringside.bench.wire.EchoFrame;
import dev.ringside.bench.wire.Handler;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A closed loop over many connections on one thread: a request is sent as soon as a reply made room
 * for it. Two system calls per batch of replies of a connection and no garbage, so that it costs
 * less than any server; how busy it was is part of every result.
 */
public final class LoadClient implements AutoCloseable {
  private static final long STALL_NANOS = TimeUnit.SECONDS.toNanos(20);

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final Selector selector;
  private final List<SelectionKey> keys = new ArrayList<>();
  private final Replies replies = new Replies();
  private final int depth;
  private boolean filling;
  private long answered;
  private long lastReplyNanos;

  /**
   * Opens the connections, one after the other.
   *
   * @param plainEcho whether the server sends requests back as they are
   */
  public LoadClient(
      InetSocketAddress server, int connections, int depth, Handler handler, boolean plainEcho)
      throws IOException {
    this.depth = depth;
    selector = Selector.open();
    SplittableRandom random = new SplittableRandom(connections * 31L + depth);
    EchoFrame frame = new EchoFrame(handler.method());
    for (int i = 0; i < connections; i++) {
      SocketChannel channel = SocketChannel.open(server);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.configureBlocking(false);
      SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
      key.attach(new LoadConnection(channel, frame, handler, plainEcho, depth, random.split()));
      keys.add(key);
    }
  }

  /**
   * Drives load for that long, then waits until every request is answered.
   *
   * @throws IOException if a reply is wrong, a connection is closed or no reply comes for 20 s
   */
  public WindowResult window(long millis) throws IOException {
    replies.reset();
    answered = 0;
    filling = true;
    long cpu = threads.getCurrentThreadCpuTime();
    long start = System.nanoTime();
    long deadline = start + TimeUnit.MILLISECONDS.toNanos(millis);
    lastReplyNanos = start;
    for (SelectionKey key : keys) {
      ((LoadConnection) key.attachment()).fill(key, System.nanoTime());
    }
    while (System.nanoTime() < deadline) {
      turn(TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime()));
    }
    long inTime = answered;
    long elapsed = System.nanoTime() - start;
    long cpuInTime = threads.getCurrentThreadCpuTime() - cpu;
    filling = false;
    while (answered < sent()) {
      turn(TimeUnit.SECONDS.toMillis(1));
    }
    return new WindowResult(
        inTime, answered, elapsed, cpuInTime, Latencies.of(replies.all()), quick());
  }

  private Latencies quick() {
    return Latencies.of(replies.quick());
  }

  private long sent() {
    long underWay = 0;
    for (SelectionKey key : keys) {
      underWay += ((LoadConnection) key.attachment()).underWay();
    }
    return answered + underWay;
  }

  private void turn(long waitMillis) throws IOException {
    long before = answered;
    Consumer<SelectionKey> serve = this::serve;
    try {
      selector.select(serve, Math.max(1, Math.min(waitMillis, 1000)));
    } catch (java.io.UncheckedIOException e) {
      throw e.getCause();
    }
    long now = System.nanoTime();
    if (answered > before) {
      lastReplyNanos = now;
    } else if (now - lastReplyNanos > STALL_NANOS) {
      throw new IOException(
          "no reply for "
              + TimeUnit.NANOSECONDS.toSeconds(STALL_NANOS)
              + " s on "
              + keys.size()
              + " connections of depth "
              + depth);
    }
  }

  private void serve(SelectionKey key) {
    LoadConnection connection = (LoadConnection) key.attachment();
    long now = System.nanoTime();
    try {
      if (key.isReadable()) {
        int count = connection.receive(replies, now);
        answered += count;
        if (count > 0 && filling) {
          connection.fill(key, now);
        }
      } else {
        connection.flush(key);
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    for (SelectionKey key : keys) {
      key.channel().close();
    }
    selector.close();
  }
}
