package dev.ringside.bench.client;

import dev.ringside.bench.wire.EchoFrame;
import dev.ringside.bench.wire.Handler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/**
 * Sends load over many connections on one thread. A closed loop sends a request when a reply has
 * made room for it. An open loop sends it when it is due, and measures from then on, even if it is
 * sent later.
 *
 * <p>Costs two system calls per batch of small replies of a connection and creates no garbage, so
 * that it costs less than any server. Each result contains how busy or how late the client was.
 */
public final class LoadClient implements AutoCloseable {
  private static final long STALL_NANOS = TimeUnit.SECONDS.toNanos(20);

  /**
   * Waits shorter than this poll, because a selector's timeouts have millisecond precision and end
   * late.
   */
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private static final long LONGEST = TimeUnit.MINUTES.toNanos(1);

  private final Selector selector;
  private final List<SelectionKey> keys = new ArrayList<>();
  private final Replies replies = new Replies();
  private final Consumer<SelectionKey> serve = this::serve;
  private final Histogram late = new Histogram(LONGEST, 3);
  private final int depth;

  /** In an open loop: contains a connection once for each request that may be sent on it. */
  private final ArrayDeque<SelectionKey> free;

  /** System.nanoTime() at which a connection became free after none was. */
  private long freeSince;

  /** When handlers turn slow in the current window. */
  private Turn turn = Turn.NEVER;

  private boolean filling;
  private boolean open;
  private long answered;
  private long lastReplyNanos;

  /**
   * Opens the connections one after another.
   *
   * @param plainEcho whether the server returns requests unchanged
   */
  public LoadClient(
      InetSocketAddress server, int connections, int depth, Handler handler, boolean plainEcho)
      throws IOException {
    this.depth = depth;
    free = new ArrayDeque<>(connections * depth);
    selector = Selector.open();
    SplittableRandom random = new SplittableRandom(connections * 31L + depth);
    EchoFrame frame = new EchoFrame(handler);
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
   * Sends load for a time, then waits until all requests are answered.
   *
   * @param turning whether handlers that can turn slow do so at half of the window
   * @throws IOException if a reply is wrong, a connection is closed or no reply arrives for 20 s
   */
  public WindowResult window(long millis, boolean turning) throws IOException {
    replies.reset();
    answered = 0;
    filling = true;
    Stopwatch watch = Stopwatch.start();
    long start = watch.startNanos();
    long deadline = start + TimeUnit.MILLISECONDS.toNanos(millis);
    turn = Turn.of(turning, start, deadline);
    lastReplyNanos = start;
    for (SelectionKey key : keys) {
      long now = System.nanoTime();
      ((LoadConnection) key.attachment()).fill(key, now, turn.isOver(now));
    }
    while (System.nanoTime() < deadline) {
      turn(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
    }
    Stopwatch.InTime inTime = watch.stop(answered, turn);
    filling = false;
    while (answered < sent()) {
      turn(TimeUnit.SECONDS.toMillis(1));
    }
    return result(inTime, 0);
  }

  /**
   * Makes requests due at a constant rate for a time, then waits until all are answered. If the
   * maximum number is in flight, a request waits to be sent, and its time includes this wait.
   *
   * @param turning whether handlers that can turn slow do so at half of the window
   * @throws IOException if a reply is wrong, a connection is closed or no reply arrives for 20 s
   */
  public WindowResult openWindow(long millis, double perSecond, boolean turning)
      throws IOException {
    replies.reset();
    late.reset();
    answered = 0;
    open = true;
    free.clear();
    for (int i = 0; i < depth; i++) {
      free.addAll(keys);
    }
    Stopwatch watch = Stopwatch.start();
    long start = watch.startNanos();
    long deadline = start + TimeUnit.MILLISECONDS.toNanos(millis);
    turn = Turn.of(turning, start, deadline);
    Schedule schedule = Schedule.of(start, perSecond, millis);
    lastReplyNanos = start;
    freeSince = start;
    long sent = 0;
    Stopwatch.InTime inTime = null;
    while (answered < schedule.count() || inTime == null) {
      long now = System.nanoTime();
      if (inTime == null && now >= deadline) {
        inTime = watch.stop(answered, turn);
      }
      sent = sendDue(schedule, sent, now);
      if (sent == answered) {
        // Nothing is in flight, so the lack of replies is not a stall.
        lastReplyNanos = now;
      }
      boolean more = sent < schedule.count() && !free.isEmpty();
      long next = more ? schedule.due(sent) : inTime == null ? deadline : now + STALL_NANOS;
      long wait = next - System.nanoTime();
      turn(wait < POLL_NANOS ? 0 : Math.max(1, TimeUnit.NANOSECONDS.toMillis(wait) - 1));
    }
    open = false;
    return result(inTime, late.getValueAtPercentile(99));
  }

  /**
   * Sends requests that are due, as long as connections are free. Returns the number sent so far.
   */
  private long sendDue(Schedule schedule, long before, long now) throws IOException {
    long sent = before;
    while (sent < schedule.count() && !free.isEmpty() && schedule.due(sent) <= now) {
      SelectionKey key = free.poll();
      long due = schedule.due(sent);
      late.recordValue(Math.min(LONGEST, Math.max(0, now - Math.max(due, freeSince))));
      ((LoadConnection) key.attachment()).send(key, due, turn.isOver(due));
      sent++;
    }
    return sent;
  }

  private WindowResult result(Stopwatch.InTime inTime, long lateP99Nanos) {
    return new WindowResult(
        inTime.answered(),
        answered,
        inTime.elapsedNanos(),
        inTime.cpuNanos(),
        inTime.waitedNanos(),
        replies.all().copy(),
        replies.quick().copy(),
        lateP99Nanos,
        inTime.turnedRate());
  }

  private long sent() {
    long underWay = 0;
    for (SelectionKey key : keys) {
      underWay += ((LoadConnection) key.attachment()).underWay();
    }
    return answered + underWay;
  }

  /**
   * Handles ready connections.
   *
   * @param waitMillis longest time to wait for replies; 0 polls once and yields the processor
   */
  private void turn(long waitMillis) throws IOException {
    long before = answered;
    try {
      if (waitMillis > 0) {
        selector.select(serve, Math.min(waitMillis, 1000));
      } else if (selector.selectNow(serve) == 0) {
        Thread.yield();
      }
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
    try {
      if (key.isReadable()) {
        receive(key, connection);
      }
      if (key.isWritable()) {
        connection.flush(key);
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private void receive(SelectionKey key, LoadConnection connection) throws IOException {
    boolean more;
    long now;
    int count = 0;
    do {
      more = connection.read();
      now = System.nanoTime();
      turn.look(now, answered);
      count += connection.take(replies, now);
    } while (more && connection.isMidReply());
    answered += count;
    if (count > 0 && filling) {
      connection.fill(key, now, turn.isOver(now));
    } else if (open) {
      release(key, count, now);
    }
  }

  private void release(SelectionKey key, int count, long now) {
    if (free.isEmpty()) {
      freeSince = now;
    }
    for (int i = 0; i < count; i++) {
      free.add(key);
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
