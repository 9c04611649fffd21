package dev.ringside.thrift.internal.loop;

import dev.ringside.thrift.internal.habits.CpuLoad;
import dev.ringside.thrift.internal.habits.MethodHabits;
import dev.ringside.thrift.internal.metrics.CloseReason;
import dev.ringside.thrift.internal.metrics.Failures;
import dev.ringside.thrift.internal.wire.Frames;
import dev.ringside.thrift.internal.wire.MessageHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.apache.thrift.TException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves connections on one thread, one at a time: sends what is unsent, reads what has arrived,
 * decides which requests run here, runs them, and sends the replies. Replies of quick requests are
 * sent together, but never wait for a later request that is not quick.
 *
 * <p>From top to bottom: {@link #serve}, {@code serveOpen}, {@code read}, {@code runFrames}, {@code
 * mayRun}, {@code runRequest}; {@link Session} passes a request to the processor.
 */
public final class RequestRunner {
  private static final Logger LOG = LoggerFactory.getLogger(Failures.LOGGER);

  /** How many reads may follow each other before other connections have their turn. */
  private static final int MAX_READS = 4;

  /**
   * How long a thread runs requests of one connection, if others may wait, before these have their
   * turn: all of them together this long, but each so long that a turn is worth its cost.
   */
  private static final long ROUND_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

  private static final long MIN_SLICE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

  private final ServerRun run;
  private final WorkerPool workers;
  private final Io io;

  // While it serves a connection.

  /** Whether this thread leads a loop, and so must not run a request that may block. */
  private boolean leads;

  /** Whether the leader's window is open: it may be deposed. */
  private boolean open;

  /**
   * System.nanoTime() when the connection's turn began: its first request, or its second read; 0
   * before.
   */
  private long turnBegan;

  /** System.nanoTime() when the last request ended; 0 before the first. */
  private long lastEnded;

  private long oldestReply;
  private int inlineRuns;
  private int handedOffRuns;

  public RequestRunner(ServerRun run, WorkerPool workers, Io io) {
    this.run = run;
    this.workers = workers;
    this.io = io;
  }

  /**
   * Serves a connection: sends unsent replies, runs held requests, then reads, runs and replies.
   *
   * @param asLeader true on the thread that leads the loop, which must not run a request that is
   *     expected to block
   */
  public Outcome serve(Connection connection, boolean asLeader) {
    leads = asLeader;
    turnBegan = 0;
    oldestReply = 0;
    connection.session.lend(io.replies);
    try {
      Outcome outcome = serveOpen(connection);
      connection.waitsForMemory = outcome == Outcome.STARVED;
      return outcome;
    } catch (SSLException e) {
      connection.closes(CloseReason.TLS, e.toString());
      return Outcome.CLOSED;
    } catch (IOException e) {
      LOG.debug("connection of {} broke: {}", connection.client, e.toString());
      return Outcome.CLOSED;
    } catch (Throwable e) {
      // Hooks may throw anything, and memory may be short: it must concern no other connection.
      connection.failed(e);
      return Outcome.CLOSED;
    } finally {
      connection.session.takeBack();
      try {
        endServing();
        count();
      } finally {
        io.replies.clear();
      }
    }
  }

  private Outcome serveOpen(Connection connection) throws IOException, TException {
    if (connection.closing || run.stopDeadlinePassed()) {
      return Outcome.CLOSED;
    }
    if (!connection.session.hasBegun()) {
      leads = run.hooks.run(io, leads, connection.session::begin);
      connection.lastActive = System.nanoTime();
    }
    if (!connection.outbox.sendUnsent(io)) {
      return Outcome.WRITE_BLOCKED;
    }
    if (connection.closesWhenSent()) {
      return connection.finish(io);
    }
    if (connection.waitsForMemory) {
      // Its client could not send until now.
      connection.beginAgain(io.now);
    }
    Outcome stopped = null;
    if (connection.expired && !connection.inbox.isEmpty()) {
      stopped = expire(connection);
    }
    connection.expired = false;
    if (stopped == null && !connection.inbox.isEmpty()) {
      stopped = runHeld(connection);
    }
    return stopped == null ? read(connection) : stopped;
  }

  private Outcome read(Connection connection) throws IOException {
    for (int round = 0; round < MAX_READS; round++) {
      if (run.isStopping()) {
        return Outcome.IDLE;
      }
      if (round > 0 && isTurnOver(System.nanoTime())) {
        return Outcome.MORE;
      }
      if (!connection.inbox.mayRead()) {
        return starve(connection, 0);
      }
      int count = connection.wire.read(io);
      if (count < 0) {
        return Outcome.CLOSED;
      }
      Runnable steps = count == 0 ? connection.wire.steps() : null;
      if (steps != null && leads && run.handshakes.handOff()) {
        return Outcome.HAND_OFF;
      } else if (steps != null) {
        leads = run.handshakes.run(io, leads, steps::run);
        io.now = System.nanoTime();
        continue;
      }
      if (count > 0) {
        connection.lastActive = io.now;
        run.metrics.bytesRead.add(count);
        Outcome stopped = runReceived(connection, count);
        if (stopped != null) {
          return stopped;
        }
      }
      if (!connection.wire.hasMore(io, count)) {
        // If more comes meanwhile, the selector says so.
        return connection.wire.flush(io) ? Outcome.IDLE : Outcome.WRITE_BLOCKED;
      }
    }
    return Outcome.MORE;
  }

  private static Outcome starve(Connection connection, int nextReply) {
    connection.nextReply = nextReply;
    return Outcome.STARVED;
  }

  private @Nullable Outcome runReceived(Connection connection, int count) throws IOException {
    ByteBuffer received = io.received;
    if (!connection.inbox.isEmpty() || Frames.isCut(received, count, run.options.maxFrameBytes)) {
      connection.inbox.append(received, count, io.now);
      return runHeld(connection);
    }
    if (received.isDirect()) {
      received.get(io.in, 0, count);
    }
    return runFrames(connection, io.in, 0, count);
  }

  private @Nullable Outcome runHeld(Connection connection) throws IOException {
    return runFrames(
        connection, connection.inbox.bytes(), connection.inbox.from(), connection.inbox.to());
  }

  /**
   * Runs the complete frames in {@code bytes[from, to)}, sends their replies, and keeps the rest.
   *
   * @return null if every complete frame has been run and answered
   */
  private @Nullable Outcome runFrames(Connection connection, byte[] bytes, int from, int to)
      throws IOException {
    int at = from;
    Outcome stopped = null;
    lastEnded = 0;
    while (stopped == null && to - at >= Frames.HEADER) {
      int length = Frames.length(bytes, at);
      if (!Frames.isValid(length, run.options.maxFrameBytes)) {
        connection.closes(CloseReason.BAD_FRAME, length + " bytes are announced");
        connection.discardWhenSent(length > 0 && connection.session.refuse(io, bytes, at, to));
        at = to;
        stopped = Outcome.CLOSED;
        break;
      }
      int end = at + Frames.HEADER + length;
      if (end > to || end < 0) {
        break;
      }
      io.header.parse(bytes, at + Frames.HEADER, end);
      MethodHabits method = method(connection, bytes, io.header);
      stopped = mayRun(connection, method);
      if (stopped == null) {
        stopped = runRequest(connection, method, bytes, at, end);
        at = stopped == Outcome.CLOSED ? to : end;
      }
    }
    endServing();
    connection.inbox.keep(bytes, at, to, io.now);
    boolean sent = send(connection);
    connection.lastActive = io.now;
    if (!sent) {
      connection.closeWhenSent(stopped == Outcome.CLOSED);
      return Outcome.WRITE_BLOCKED;
    }
    return stopped == Outcome.CLOSED ? connection.finish(io) : stopped;
  }

  private MethodHabits method(Connection connection, byte[] bytes, MessageHeader header) {
    MethodHabits method = connection.lastMethod;
    if (method == null || !method.matches(bytes, header.nameFrom(), header.nameTo())) {
      method = run.methods.find(bytes, header.nameFrom(), header.nameTo());
      connection.lastMethod = method;
    }
    return method;
  }

  /** Decides whether the next request runs here and now; returns null if it does. */
  private @Nullable Outcome mayRun(Connection connection, MethodHabits method) throws IOException {
    if (leads && mustHandOff(method)) {
      return Outcome.HAND_OFF;
    }
    if (lastEnded == 0) {
      lastEnded = System.nanoTime();
    }
    if (isTurnOver(lastEnded)) {
      return Outcome.MORE;
    }
    if (!io.replies.isEmpty() && !mayWait(method, lastEnded) && !send(connection)) {
      return Outcome.WRITE_BLOCKED;
    }
    if (!connection.outbox.reserve(method.replyBytes())) {
      return starve(connection, method.replyBytes());
    }
    boolean inline = leads && beginServing(connection, method);
    return !inline && !io.replies.isEmpty() && !send(connection) ? Outcome.WRITE_BLOCKED : null;
  }

  /**
   * Reports whether a leader must leave a request to a worker. An unknown method is tried here,
   * unless other requests have already cost threads beyond the limit. While all workers are stuck,
   * so are those that usually end soon: nobody else would run them.
   */
  private boolean mustHandOff(MethodHabits method) {
    return !(method.endsSoon() && workers.isStuck())
        && (method.handOff() || !method.isProven() && workers.roster.isOverLimit());
  }

  /**
   * Reports whether this connection has had its turn, and others should have theirs. The first call
   * begins the turn.
   */
  private boolean isTurnOver(long now) {
    if (turnBegan == 0) {
      turnBegan = now;
    }
    long nanos = now - turnBegan;
    if (nanos < MIN_SLICE_NANOS) {
      return false;
    }
    int others = leads ? io.leadership.loop.load() - 1 : workers.ring.occupancy();
    return others > 0 && nanos >= ROUND_NANOS / others;
  }

  /**
   * Reports whether replies may wait to be sent with the next one: only for a leader with a next
   * request that is expected to be quick. If it blocks, the thread that deposes the leader sends
   * them; no thread does that for a worker.
   */
  private boolean mayWait(MethodHabits next, long now) {
    return leads && next.isProven() && now - oldestReply < run.options.inlineLimitNanos;
  }

  private @Nullable Outcome runRequest(
      Connection connection, MethodHabits method, byte[] bytes, int at, int end)
      throws IOException {
    boolean inline = open;
    boolean suspicious = inline && method.isSuspicious();
    long cpuBegan = suspicious ? CpuLoad.nanos() : 0;
    long began = lastEnded;
    int written = io.replies.size();
    boolean goesOn = connection.session.run(io, connection, bytes, at, end);
    method.replied(io.replies.size() - written);
    lastEnded = System.nanoTime();
    io.now = lastEnded;
    io.progressed();
    long nanos = lastEnded - began;
    if (!inline) {
      handedOffRuns++;
      method.ranHandedOff(nanos);
    } else {
      inlineRuns++;
      if (io.leadership.isDeposed()) {
        endServing();
        method.ranHandedOff(nanos);
      } else {
        method.ranInline(nanos, suspicious ? CpuLoad.nanos() - cpuBegan : -1);
      }
    }
    run.metrics.handlerNanos.add(nanos);
    if (!io.replies.isEmpty() && oldestReply == 0) {
      oldestReply = lastEnded;
    }
    if (!goesOn) {
      return Outcome.CLOSED;
    }
    return io.replies.isFull() && !send(connection) ? Outcome.WRITE_BLOCKED : null;
  }

  /**
   * Answers the complete frames that are held without running them.
   *
   * @return null if all are answered
   */
  private @Nullable Outcome expire(Connection connection) throws IOException {
    byte[] bytes = connection.inbox.bytes();
    int at = connection.inbox.from();
    int to = connection.inbox.to();
    boolean ok = true;
    while (ok) {
      int end = Frames.end(bytes, at, to, run.options.maxFrameBytes);
      if (end < 0) {
        break;
      }
      run.metrics.expired.increment();
      ok = connection.session.expire(io, bytes, at, end);
      at = end;
    }
    connection.inbox.keep(bytes, at, ok ? to : at, io.now);
    if (!ok) {
      connection.closes(CloseReason.BAD_MESSAGE, "");
      connection.closeWhenSent(true);
    }
    return !connection.outbox.send(io) ? Outcome.WRITE_BLOCKED : ok ? null : Outcome.CLOSED;
  }

  private boolean send(Connection connection) throws IOException {
    endServing();
    oldestReply = 0;
    // Before their clients can know that they ran.
    count();
    return connection.outbox.send(io);
  }

  /**
   * Prepares for a request on the thread that leads the loop; returns false if the loop was lost
   * just now. The thread that took it may have checked before the last reply was published, and
   * then has not sent it.
   */
  private boolean beginServing(Connection connection, MethodHabits method) {
    if (io.running.get() != method) {
      io.running.lazySet(method);
    }
    io.replies.publish();
    if (!open) {
      open = true;
      io.leadership.beginServing(connection);
    } else if (io.leadership.isDeposed()) {
      endServing();
    }
    return leads;
  }

  /** Ends serving before the socket is used. If the loop was lost, this thread is now a worker. */
  private void endServing() {
    if (open) {
      open = false;
      io.running.lazySet(null);
      leads = io.leadership.endServing();
    }
  }

  private void count() {
    if (inlineRuns > 0) {
      run.metrics.inlineRequests.add(inlineRuns);
      inlineRuns = 0;
    }
    if (handedOffRuns > 0) {
      run.metrics.handedOffRequests.add(handedOffRuns);
      handedOffRuns = 0;
    }
  }
}
