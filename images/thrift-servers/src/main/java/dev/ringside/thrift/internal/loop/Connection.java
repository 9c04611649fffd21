package dev.ringside.thrift.internal.loop;

import dev.ringside.thrift.internal.metrics.Failure;
import dev.ringside.thrift.internal.metrics.Failures;
import dev.ringside.thrift.internal.wire.Frames;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.thrift.TException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Represents one client's connection: reads what arrives, and runs and answers its requests in
 * order.
 *
 * <p>At most one thread serves it at any time; see {@link Ownership}. All other state belongs to
 * that thread.
 */
public final class Connection {
  private static final Logger LOG = LoggerFactory.getLogger(Failures.LOGGER);

  public final Ownership ownership = new Ownership();
  public final Link link;

  private final ServerRun run;
  private final Watched hooks;
  private final Watched handshakes;
  private final Session session;
  private final RequestRunner runner;
  private EventLoop loop;
  private SelectionKey key;
  private boolean closed;

  /** How long its client was silent before the last bytes arrived, in nanoseconds. */
  private long silence;

  /** System.nanoTime() when this was handed off; set by the thread that hands it off. */
  public long handedOffAt;

  /** Whether it has waited too long for a worker; what it holds is then not run. */
  public boolean expired;

  /**
   * For the loop: whether it is in the loop's queue of connections to serve again, or was when it
   * left for another loop.
   */
  public boolean queuedAgain;

  /** Whether it only waits to be closed by a worker, because hooks block. */
  public boolean closing;

  /** For the loop: the next in its list of connections to close. */
  public @Nullable Connection nextToClose;

  /** The one that {@link PortReuse} makes wait for the end of this one; this one after its end. */
  public final AtomicReference<@Nullable Connection> next = new AtomicReference<>();

  /** The outcome of serving by the owner; for the loop that gets the connection back. */
  public Outcome outcome = Outcome.IDLE;

  /**
   * Creates a connection of a loop.
   *
   * @param hooks runs the hooks for a connection's beginning and end
   * @param handshakes runs the steps of TLS handshakes that Java delegates
   */
  public Connection(
      ServerRun run,
      Watched hooks,
      Watched handshakes,
      EventLoop loop,
      SelectionKey key,
      Link link,
      Session session,
      RequestRunner runner) {
    this.run = run;
    this.hooks = hooks;
    this.handshakes = handshakes;
    this.loop = loop;
    this.key = key;
    this.link = link;
    this.session = session;
    this.runner = runner;
  }

  /** Moves the connection to another loop, with its key there. For the thread that serves it. */
  public void moveTo(EventLoop newLoop, SelectionKey newKey) {
    loop = newLoop;
    key = newKey;
  }

  public EventLoop loop() {
    return loop;
  }

  public SelectionKey key() {
    return key;
  }

  /** Reports whether replies are outstanding: unsent ones, or those of requests that wait. */
  public boolean hasMoreToSay() {
    return queuedAgain || !link.outbox.isEmpty();
  }

  /** Reports whether a thread should wait for its next request: its last requests blocked. */
  public boolean mayLinger() {
    return runner.blocks() && link.isAtRest();
  }

  /** Returns how long its client was silent before the last bytes arrived, in nanoseconds. */
  public long silence() {
    return silence;
  }

  /**
   * Reports whether its client has been silent for too long since its last reply. One that waits
   * for a reply is not idle; one that does not read a reply is {@link Link#isLate}. 0 ns is no
   * limit.
   */
  public boolean isIdle(long now, long timeout) {
    return timeout > 0 && !hasMoreToSay() && link.still(now) > timeout;
  }

  /** Reports whether a request, or a part of one, is under way as far as its owner knows. */
  public boolean hasWork() {
    return queuedAgain || link.hasWork();
  }

  /** Reports whether nothing is under way, and its client has been silent for that time. */
  public boolean isQuiet(long now, long time) {
    return !hasWork() && link.still(now) > time;
  }

  /**
   * Serves the connection: sends unsent replies, runs held requests, then reads, runs and replies.
   *
   * @param inline true on the thread that leads the loop, which must not run a request that may
   *     block
   */
  public Outcome serve(Io io, boolean inline) {
    session.lend(io.replies);
    try {
      return serveOpen(io, inline);
    } catch (IOException e) {
      LOG.debug("connection of {} broke: {}", link.client, e.toString());
      return Outcome.CLOSED;
    } catch (Throwable e) {
      run.metrics.failures.add(Failure.CONNECTION, link.client, e);
      return Outcome.CLOSED;
    } finally {
      session.takeBack();
      link.inbox.served();
      try {
        runner.end(io);
      } finally {
        io.replies.clear();
      }
    }
  }

  private Outcome serveOpen(Io io, boolean asLeader) throws IOException, TException {
    boolean inline = asLeader;
    if (closing || run.stopDeadlinePassed()) {
      return Outcome.CLOSED;
    }
    if (!session.hasBegun()) {
      inline = hooks.run(io, asLeader, session::begin);
      link.lastActive = System.nanoTime();
    }
    if (!link.outbox.sendUnsent(io)) {
      return Outcome.WRITE_BLOCKED;
    }
    if (link.closesWhenSent()) {
      return link.finish(io);
    }
    Outcome stopped = null;
    if (expired && !link.inbox.isEmpty()) {
      stopped = runner.expire(io);
    }
    expired = false;
    if (stopped == null && !link.inbox.isEmpty()) {
      stopped = runHeld(io, inline);
    }
    return stopped == null ? read(io, inline, asLeader) : stopped;
  }

  private Outcome read(Io io, boolean inline, boolean asLeader) throws IOException {
    for (int round = 0; round < Link.MAX_READS; round++) {
      if (run.isStopping()) {
        return Outcome.IDLE;
      }
      if (round > 0 && runner.isTurnOver(io, io.now)) {
        return Outcome.MORE;
      }
      boolean leads = asLeader && !io.leadership.isDeposed();
      boolean starved = link.inbox.isStarved();
      io.readLimit = link.inbox.readLimit(io.now);
      if (io.readLimit == 0) {
        return Outcome.STARVED;
      }
      if (starved) {
        // Its client could not send until now.
        link.lastActive = io.now;
      }
      int count = link.wire.read(io);
      if (count < 0) {
        return Outcome.CLOSED;
      }
      Runnable steps = count == 0 ? link.wire.steps() : null;
      if (steps != null && leads && handshakes.handOff()) {
        return Outcome.HAND_OFF;
      } else if (steps != null) {
        handshakes.run(io, leads, steps::run);
        continue;
      } else if (count == 0) {
        return readNothing(io);
      }
      if (round == 0) {
        silence = io.now - link.lastActive;
      }
      link.lastActive = io.now;
      run.metrics.bytesRead.add(count);
      Outcome stopped = runReceived(io, count, inline && !io.leadership.isDeposed());
      if (stopped != null) {
        return stopped;
      }
      if (!link.wire.hasMore(io, count)) {
        // If more comes meanwhile, the selector says so.
        return readNothing(io);
      }
    }
    return Outcome.MORE;
  }

  private Outcome readNothing(Io io) throws IOException {
    return link.wire.flush(io) ? Outcome.IDLE : Outcome.WRITE_BLOCKED;
  }

  private @Nullable Outcome runReceived(Io io, int count, boolean inline) throws IOException {
    if (link.inbox.isEmpty() && !Frames.isCut(io.netIn, count, run.options.maxFrameBytes)) {
      io.netIn.get(io.in, 0, count);
      return run(io, io.in, 0, count, inline);
    }
    link.inbox.append(io.netIn, count, io.now);
    return runHeld(io, inline);
  }

  private @Nullable Outcome runHeld(Io io, boolean inline) throws IOException {
    return run(io, link.inbox.bytes(), link.inbox.from(), link.inbox.to(), inline);
  }

  private @Nullable Outcome run(Io io, byte[] bytes, int from, int to, boolean inline)
      throws IOException {
    Outcome stopped = runner.run(io, bytes, from, to, inline);
    link.lastActive = io.now;
    return stopped == Outcome.CLOSED ? link.finish(io) : stopped;
  }

  /** Reports whether a worker should begin or end it, because hooks block. */
  public boolean hasSlowHooks() {
    return hooks.handOff();
  }

  /** Ends it on the thread that leads its loop; returns false if a hook cost the leadership. */
  public boolean closeAsLeader(Io io) {
    return hooks.run(io, true, () -> close(io));
  }

  /** Ends the connection. For the thread that serves it only; further calls do nothing. */
  public void close(Io io) {
    if (closed) {
      return;
    }
    closed = true;
    try {
      link.close(io);
    } finally {
      try {
        end(io);
      } finally {
        // Last: when a drain finds no more connections, all hooks have run, too.
        loop.connectionEnded();
      }
    }
  }

  private void end(Io io) {
    try {
      if (closing) {
        hooks.run(io, false, session::end);
      } else {
        session.end();
      }
    } finally {
      Connection waiting = run.portReuse.ended(this);
      if (waiting != null) {
        waiting.giveBackToBegin(io);
      }
    }
  }

  /**
   * Gives it to its loop, which lets a worker begin it; closes it if there is no memory for that.
   */
  private void giveBackToBegin(Io io) {
    outcome = Outcome.HAND_OFF;
    try {
      loop.giveBack(this, io);
    } catch (Throwable e) {
      run.metrics.failures.add(Failure.CONNECTION, link.client, e);
      close(io);
      loop.wakeUp();
    }
  }

  /** Ends the connection with its last replies intact, as {@link Link#sayGoodbye} does. */
  public void closeGracefully(Io io) {
    if (!closed) {
      link.sayGoodbye(io);
      close(io);
    }
  }
}
