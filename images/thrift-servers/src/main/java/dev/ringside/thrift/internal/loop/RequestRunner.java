package dev.ringside.thrift.internal.loop;

import dev.ringside.thrift.internal.habits.CpuLoad;
import dev.ringside.thrift.internal.habits.MethodHabits;
import dev.ringside.thrift.internal.habits.MethodTable;
import dev.ringside.thrift.internal.metrics.Failures;
import dev.ringside.thrift.internal.metrics.Metrics;
import dev.ringside.thrift.internal.wire.Frames;
import dev.ringside.thrift.internal.wire.MessageHeader;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the frames in the bytes that one connection has received, decides which requests run here,
 * and sends the replies. Replies of quick requests are sent together, but never wait for a later
 * request that is not quick. For the thread that serves the connection.
 */
public final class RequestRunner {
  private static final Logger LOG = LoggerFactory.getLogger(Failures.LOGGER);

  /** After how many quick requests in a row no worker lingers with the connection. */
  private static final int MAX_QUICK_RUNS = 16;

  /**
   * How long a thread runs requests of one connection, if others may wait, before these have their
   * turn: all of them together this long, but each so long that a turn is worth its cost.
   */
  private static final long ROUND_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

  private static final long MIN_SLICE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

  private final Options options;
  private final Metrics metrics;
  private final WorkerPool workers;
  private final MethodTable methods;
  private final Link link;
  private final Session session;

  private @Nullable MethodHabits lastMethod;
  private int quickRuns = MAX_QUICK_RUNS;

  /**
   * System.nanoTime() when the first request of the connection's turn began, which may span several
   * reads; 0 before.
   */
  private long turnBegan;

  // While it runs. The leader's window is open: it may be deposed.
  private boolean leads;
  private boolean open;
  private long oldestReply;
  private int inlineRuns;
  private int handedOffRuns;

  public RequestRunner(
      ServerRun run, WorkerPool workers, MethodTable methods, Link link, Session session) {
    this.options = run.options;
    this.metrics = run.metrics;
    this.workers = workers;
    this.methods = methods;
    this.link = link;
    this.session = session;
  }

  /** Reports whether the last requests blocked, according to their methods' habits. */
  public boolean blocks() {
    return quickRuns < MAX_QUICK_RUNS;
  }

  /**
   * Runs the complete frames in {@code bytes[from, to)}, sends their replies, and keeps the rest.
   *
   * @param asLeader true on the thread that leads the loop, which must not run a request that is
   *     expected to block
   * @return null if every complete frame has been run and answered
   */
  public @Nullable Outcome run(Io io, byte[] bytes, int from, int to, boolean asLeader)
      throws IOException {
    leads = asLeader;
    open = false;
    int at = from;
    Outcome stopped = null;
    long began = 0;
    while (to - at >= Frames.HEADER) {
      int length = Frames.length(bytes, at);
      if (!Frames.isValid(length, options.maxFrameBytes)) {
        refuse(length);
        link.discardWhenSent(length > 0 && session.refuse(io, bytes, at, to));
        at = to;
        stopped = Outcome.CLOSED;
        break;
      }
      int end = at + Frames.HEADER + length;
      if (end > to || end < 0) {
        break;
      }
      io.header.parse(bytes, at + Frames.HEADER, end);
      MethodHabits method = method(bytes, io.header);
      if (leads && mustHandOff(method)) {
        stopped = Outcome.HAND_OFF;
        break;
      }
      if (began == 0) {
        began = System.nanoTime();
      }
      if (turnBegan == 0) {
        turnBegan = began;
      } else if (isTurnOver(io, began)) {
        stopped = Outcome.MORE;
        break;
      }
      if (io.replies.size() > 0 && !mayWait(method, began) && !sendNow(io)) {
        stopped = Outcome.WRITE_BLOCKED;
        break;
      }
      boolean inline = leads && beginServing(io, method);
      if (!inline && io.replies.size() > 0 && !sendNow(io)) {
        stopped = Outcome.WRITE_BLOCKED;
        break;
      }
      boolean suspicious = inline && method.isSuspicious();
      long cpuBegan = suspicious ? CpuLoad.nanos() : 0;
      boolean ok = session.run(io, bytes, at, end);
      long ended = System.nanoTime();
      io.now = ended;
      io.progressed();
      if (inline) {
        inlineRuns++;
        if (io.leadership.isDeposed()) {
          endServing(io);
        } else {
          method.ranInline(ended - began, suspicious ? CpuLoad.nanos() - cpuBegan : -1);
        }
      } else {
        handedOffRuns++;
        quickRuns = method.handOff() ? 0 : quickRuns + 1;
        method.ranHandedOff(ended - began);
      }
      metrics.handlerNanos.add(ended - began);
      if (io.replies.size() > 0 && oldestReply == 0) {
        oldestReply = ended;
      }
      began = ended;
      at = end;
      if (!ok) {
        at = to;
        stopped = Outcome.CLOSED;
        break;
      }
      if (io.replies.isFull() && !sendNow(io)) {
        stopped = Outcome.WRITE_BLOCKED;
        break;
      }
    }
    endServing(io);
    link.inbox.keep(bytes, at, to, io.now);
    if (!sendNow(io)) {
      link.closeWhenSent(stopped == Outcome.CLOSED);
      return Outcome.WRITE_BLOCKED;
    }
    return stopped;
  }

  /**
   * Answers the complete frames that are held without running them.
   *
   * @return null if all are answered
   */
  public @Nullable Outcome expire(Io io) throws IOException {
    byte[] bytes = link.inbox.bytes();
    int at = link.inbox.from();
    boolean ok = true;
    while (ok) {
      int end = Frames.end(bytes, at, link.inbox.to(), options.maxFrameBytes);
      if (end < 0) {
        break;
      }
      metrics.expired.increment();
      ok = session.expire(io, bytes, at, end);
      at = end;
    }
    link.inbox.keep(bytes, at, ok ? link.inbox.to() : at, io.now);
    link.closeWhenSent(!ok);
    return !link.outbox.send(io) ? Outcome.WRITE_BLOCKED : ok ? null : Outcome.CLOSED;
  }

  /** Reports whether this connection has had its turn, and others should have theirs. */
  public boolean isTurnOver(Io io, long now) {
    long nanos = now - turnBegan;
    if (turnBegan == 0 || nanos < MIN_SLICE_NANOS) {
      return false;
    }
    int others = leads ? io.leadership.loop.load() - 1 : workers.ring().occupancy();
    return others > 0 && nanos >= ROUND_NANOS / others;
  }

  private void refuse(int length) {
    int unsaid = metrics.badFrame();
    if (unsaid >= 0) {
      LOG.warn(
          "{} announced a frame of {} bytes (limit {}): not a framed client, or too large a"
              + " request; closing ({} more since the last such line)",
          link.client,
          length,
          options.maxFrameBytes,
          unsaid);
    }
  }

  private MethodHabits method(byte[] bytes, MessageHeader header) {
    MethodHabits method = lastMethod;
    if (method == null || !method.matches(bytes, header.nameFrom(), header.nameTo())) {
      method = methods.find(bytes, header.nameFrom(), header.nameTo());
      lastMethod = method;
    }
    return method;
  }

  /**
   * Reports whether a leader must leave a request to a worker. An unknown method is tried here,
   * unless other requests have already cost threads beyond the limit.
   */
  private boolean mustHandOff(MethodHabits method) {
    return method.handOff() || !method.isProven() && workers.roster().isOverLimit();
  }

  /**
   * Reports whether replies may wait to be sent with the next one: only for a leader with a next
   * request that is expected to be quick. If it blocks, the thread that deposes the leader sends
   * them; no thread does that for a worker.
   */
  private boolean mayWait(MethodHabits next, long now) {
    return leads && next.isProven() && now - oldestReply < options.inlineLimitNanos;
  }

  private boolean sendNow(Io io) throws IOException {
    endServing(io);
    oldestReply = 0;
    // Before their clients can know that they ran.
    count();
    return link.outbox.send(io);
  }

  /**
   * Prepares for a request on the thread that leads the loop; returns false if the loop was lost
   * just now. The thread that took it may have checked before the last reply was published, and
   * then has not sent it.
   */
  private boolean beginServing(Io io, MethodHabits method) {
    if (io.running.get() != method) {
      io.running.lazySet(method);
    }
    io.replies.publish();
    if (!open) {
      open = true;
      io.leadership.beginServing(link);
    } else if (io.leadership.isDeposed()) {
      endServing(io);
    }
    return leads;
  }

  /** Ends serving before the socket is used. If the loop was lost, this thread is now a worker. */
  private void endServing(Io io) {
    if (open) {
      open = false;
      io.running.lazySet(null);
      leads = io.leadership.endServing();
    }
  }

  /** Ends the connection's turn. Must be called when it has been served, with or without errors. */
  public void end(Io io) {
    turnBegan = 0;
    endServing(io);
    count();
  }

  private void count() {
    if (inlineRuns > 0) {
      metrics.inlineRequests.add(inlineRuns);
      inlineRuns = 0;
    }
    if (handedOffRuns > 0) {
      metrics.handedOffRequests.add(handedOffRuns);
      handedOffRuns = 0;
    }
  }
}
