package dev.ringside.thrift.internal.loop;

import dev.ringside.thrift.internal.metrics.Failure;
import dev.ringside.thrift.internal.metrics.Failures;
import dev.ringside.thrift.internal.wire.Inbox;
import dev.ringside.thrift.internal.wire.Outbox;
import dev.ringside.thrift.internal.wire.ReplyBuffer;
import dev.ringside.thrift.internal.wire.Sockets;
import dev.ringside.thrift.internal.wire.Wire;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.apache.thrift.TException;
import org.apache.thrift.transport.TNonblockingTransport;
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

  /** How many reads may follow each other before other connections have their turn. */
  private static final int MAX_ROUNDS = 4;

  public final Ownership ownership = new Ownership();

  private final ServerCore server;
  private final TNonblockingTransport transport;
  private final SocketChannel channel;
  private final SocketAddress client;
  private final Wire wire;
  private final Session session;
  private final Inbox inbox;
  private final Outbox outbox;
  private final RequestRunner runner;
  private EventLoop loop;
  private SelectionKey key;
  private boolean closeWhenSent;
  private boolean discards;
  private boolean saidGoodbye;
  private boolean closed;

  /** System.nanoTime() when the last bytes arrived, or when their last request ended. */
  private long lastActive;

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
  public Connection nextToClose;

  /** The outcome of serving by the owner; for the loop that gets the connection back. */
  public Outcome outcome = Outcome.IDLE;

  public Connection(
      ServerCore server, EventLoop loop, TNonblockingTransport transport, SelectionKey key)
      throws IOException {
    this.server = server;
    this.loop = loop;
    this.transport = transport;
    this.key = key;
    this.channel = (SocketChannel) key.channel();
    this.client = channel.getRemoteAddress();
    this.wire = server.wires().wire(channel);
    this.session = new Session(server, transport, client, wire);
    this.inbox = new Inbox(server.budget(), server.options().maxFrameBytes);
    this.outbox = new Outbox(wire, server.metrics(), server.unsentBytes());
    this.runner = new RequestRunner(server, this, session, inbox, outbox);
    this.lastActive = System.nanoTime();
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

  public SocketChannel channel() {
    return channel;
  }

  public SocketAddress client() {
    return client;
  }

  public boolean hasUnsent() {
    return !outbox.isEmpty();
  }

  /** Reports whether replies are outstanding: unsent ones, or those of requests that wait. */
  public boolean hasMoreToSay() {
    return hasUnsent() || queuedAgain;
  }

  /** Reports whether a thread should wait for its next request: its last requests blocked. */
  public boolean mayLinger() {
    return runner.blocks() && !discards && outbox.isEmpty() && inbox.isEmpty();
  }

  /** Returns how long its client was silent before the last bytes arrived, in nanoseconds. */
  public long silence() {
    return silence;
  }

  /**
   * Reports whether its client has been silent for too long, counted from the end of its last
   * reply. A client that waits for a reply is not idle, however long that takes; one that does not
   * read a reply is {@link #isLate}.
   *
   * @param timeout in ns; 0 is no limit
   */
  public boolean isIdle(long now, long timeout) {
    return timeout > 0 && !hasMoreToSay() && still(now) > timeout;
  }

  /**
   * Reports whether a request, or a part of one, is under way as far as the serving thread knows.
   */
  public boolean hasWork() {
    return hasMoreToSay() || !inbox.isEmpty() || wire.isMidRecord();
  }

  /** Reports whether nothing is under way, and its client has been silent for that time. */
  public boolean isQuiet(long now, long time) {
    return !hasWork() && still(now) > time;
  }

  /** Returns how long no byte has moved, in ns. */
  private long still(long now) {
    return now - Math.max(lastActive, outbox.moved());
  }

  /**
   * Reports whether its client is too slow to read replies, to send the rest of a frame, or to
   * begin TLS.
   */
  public boolean isLate(long now, long timeout) {
    long still = still(now);
    return timeout > 0
        && (!outbox.isEmpty() && still > timeout
            || discards && still > timeout
            || inbox.isUnfinished() && Math.min(still, now - inbox.began()) > timeout
            || wire.isUnfinished()
                && !inbox.isStarved()
                && Math.min(still, now - wire.began()) > timeout
            || outbox.isLate(now, timeout)
            || inbox.isLate(now, timeout));
  }

  /** Sets whether what comes after the last reply is dropped until the client ends the stream. */
  public void discardWhenSent(boolean discard) {
    discards |= discard;
  }

  /** Sets whether the connection is closed as soon as its last reply is sent. */
  public void closeWhenSent(boolean close) {
    closeWhenSent |= close;
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
      LOG.debug("connection of {} broke: {}", client, e.toString());
      return Outcome.CLOSED;
    } catch (Throwable e) {
      server.metrics().failures.add(Failure.CONNECTION, client, e);
      return Outcome.CLOSED;
    } finally {
      session.takeBack();
      inbox.served();
      try {
        runner.end(io);
      } finally {
        io.replies.clear();
      }
    }
  }

  private Outcome serveOpen(Io io, boolean asLeader) throws IOException, TException {
    boolean inline = asLeader;
    if (closing || server.run().stopDeadlinePassed()) {
      return Outcome.CLOSED;
    }
    if (!session.hasBegun()) {
      inline = server.hooks().run(io, asLeader, session::begin);
      lastActive = System.nanoTime();
    }
    if (!outbox.sendUnsent(io)) {
      return Outcome.WRITE_BLOCKED;
    }
    if (closeWhenSent) {
      return discards ? discard(io) : Outcome.CLOSED;
    }
    if (expired) {
      expired = false;
      Outcome stopped = inbox.isEmpty() ? null : runner.expire(io);
      if (stopped != null) {
        return stopped;
      }
    }
    if (!inbox.isEmpty()) {
      Outcome stopped = runHeld(io, inline);
      if (stopped != null) {
        return stopped;
      }
    }
    for (int round = 0; round < MAX_ROUNDS; round++) {
      if (server.run().isStopping()) {
        return Outcome.IDLE;
      }
      if (round > 0 && runner.isTurnOver(io.now)) {
        return Outcome.MORE;
      }
      boolean deposed = asLeader && io.leadership.isDeposed();
      boolean starved = inbox.isStarved();
      io.readLimit = inbox.readLimit(io.now);
      if (io.readLimit == 0) {
        return Outcome.STARVED;
      }
      if (starved) {
        // Its client could not send until now.
        lastActive = io.now;
      }
      int count = wire.read(io, asLeader && !deposed);
      if (count <= 0) {
        return count < 0 ? Outcome.CLOSED : wire.needsWorker() ? Outcome.HAND_OFF : readNothing(io);
      }
      if (round == 0) {
        silence = io.now - lastActive;
      }
      lastActive = io.now;
      server.metrics().bytesRead.add(count);
      Outcome stopped = runReceived(io, count, inline && !io.leadership.isDeposed());
      if (stopped != null) {
        return stopped;
      }
      if (!wire.hasMore(io, count)) {
        // If more comes meanwhile, the selector says so.
        return readNothing(io);
      }
    }
    return Outcome.MORE;
  }

  /** Ends it on the thread that leads its loop; returns false if a hook cost the leadership. */
  public boolean closeAsLeader(Io io) {
    return server.hooks().run(io, true, () -> close(io));
  }

  private Outcome readNothing(Io io) throws IOException {
    return wire.flush(io) ? Outcome.IDLE : Outcome.WRITE_BLOCKED;
  }

  private Outcome runReceived(Io io, int count, boolean inline) throws IOException {
    if (inbox.isEmpty()) {
      io.netIn.get(io.in, 0, count);
      return run(io, io.in, 0, count, inline);
    }
    inbox.append(io.netIn, count, io.now);
    return runHeld(io, inline);
  }

  private Outcome runHeld(Io io, boolean inline) throws IOException {
    return run(io, inbox.bytes(), inbox.from(), inbox.to(), inline);
  }

  private Outcome run(Io io, byte[] bytes, int from, int to, boolean inline) throws IOException {
    Outcome stopped = runner.run(io, bytes, from, to, inline);
    lastActive = io.now;
    closeWhenSent |= discards;
    return discards && stopped == Outcome.CLOSED ? discard(io) : stopped;
  }

  /**
   * Reads and drops what the client sends after its last reply, until it ends the stream. If the
   * server closed the connection first, the client could lose the reply.
   */
  private Outcome discard(Io io) throws IOException {
    if (!saidGoodbye) {
      saidGoodbye = true;
      wire.end(io);
      channel.shutdownOutput();
    }
    for (int round = 0; round < MAX_ROUNDS; round++) {
      io.netIn.clear();
      int count = Sockets.read(channel, io.netIn);
      if (count <= 0) {
        return count < 0 ? Outcome.CLOSED : Outcome.IDLE;
      }
    }
    return Outcome.MORE;
  }

  /**
   * Sends published replies on behalf of a leader that has been deposed; see {@link Leadership}.
   */
  public int sendFor(ReplyBuffer replies, Io own) {
    try {
      return outbox.sendFor(replies, own);
    } catch (Throwable e) {
      // Nobody knows how much was sent. Its owner finds out.
      abort();
      return 0;
    }
  }

  /** Ends the connection. For the thread that serves it only; further calls do nothing. */
  public void close(Io io) {
    if (closed) {
      return;
    }
    closed = true;
    try {
      inbox.drop();
      outbox.drop();
      wire.end(io);
    } catch (Throwable e) {
      // The client hears no goodbye.
    }
    try {
      transport.close();
    } catch (Throwable e) {
      abort();
    }
    try {
      end(io);
    } finally {
      // Last: when a drain finds no more connections, all hooks have run, too.
      loop.connectionEnded();
    }
  }

  private void end(Io io) {
    if (closing) {
      server.hooks().run(io, false, session::end);
    } else {
      session.end();
    }
  }

  /**
   * Ends the connection with its last replies intact: the client receives them and then the end of
   * the stream, even if it has sent bytes that will not be read.
   */
  public void closeGracefully(Io io) {
    if (closed) {
      return;
    }
    sayGoodbye(io);
    close(io);
  }

  /** Does the graceful part of that; the connection must be closed afterwards. */
  public void sayGoodbye(Io io) {
    try {
      wire.end(io);
      channel.shutdownOutput();
      do {
        io.netIn.clear();
      } while (Sockets.read(channel, io.netIn) > 0);
    } catch (IOException | RuntimeException e) {
      LOG.trace("{} was gone before the server said goodbye", client, e);
    }
  }

  /** Reports whether it has been broken, or is closed. */
  public boolean isBroken() {
    return !channel.isOpen();
  }

  /** Breaks the connection; its owner notices and closes it. May be called from any thread. */
  public void abort() {
    try {
      channel.close();
    } catch (Throwable e) {
      // It is closed for this process, whatever the kernel says.
    }
  }
}
