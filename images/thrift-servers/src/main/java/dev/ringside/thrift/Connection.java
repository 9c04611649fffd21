package dev.ringside.thrift;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.apache.thrift.TException;
import org.apache.thrift.transport.TNonblockingTransport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's connection: reads what comes and has its requests run and answered in order.
 *
 * <p>At any time one thread at most serves it; see {@link Ownership}. All else belongs to that
 * thread.
 */
final class Connection {
  private static final Logger LOG = LoggerFactory.getLogger(TDisruptorServer.class);

  /** Reads in a row before others have their turn. */
  private static final int MAX_ROUNDS = 4;

  final Ownership ownership = new Ownership();

  private final TDisruptorServer server;
  private final TNonblockingTransport transport;
  private final SocketChannel channel;
  private final SocketAddress client;
  private final Wire wire;
  private final Session session;
  private final HookCalls hooks;
  private final Inbox inbox;
  private final Outbox outbox;
  private final RequestRunner runner;
  private EventLoop loop;
  private SelectionKey key;
  private boolean closeWhenSent;
  private boolean closed;

  /** System.nanoTime() when the last bytes came, or when their last request was done with. */
  private long lastActive;

  /** How long its client was silent before the last bytes came, in nanoseconds. */
  private long silence;

  /** System.nanoTime() when this was handed off; set by who hands it off. */
  long handedOffAt;

  /** For the loop: whether the connection is in its queue of those that have more to read. */
  boolean queuedAgain;

  /** Whether it only waits to be closed, which is left to a worker because hooks block. */
  boolean closing;

  /** What the owner's serving came to; for the loop that gets the connection back. */
  Outcome outcome = Outcome.IDLE;

  Connection(
      TDisruptorServer server, EventLoop loop, TNonblockingTransport transport, SelectionKey key)
      throws IOException {
    this.server = server;
    this.loop = loop;
    this.transport = transport;
    this.key = key;
    this.channel = (SocketChannel) key.channel();
    this.client = UnixTransport.client(transport, channel);
    this.wire = server.wires().wire(channel);
    this.session = new Session(server, transport, client, wire);
    this.hooks = new HookCalls(server, session);
    this.inbox =
        new Inbox(server.budget(), server.memoryShortage(), server.options().maxFrameBytes);
    this.outbox = new Outbox(wire, server.metrics(), server.unsentBytes());
    this.runner = new RequestRunner(server, this, session, inbox, outbox);
    this.lastActive = System.nanoTime();
  }

  /** Moves to another loop, with the key that it has there. For the thread that serves it. */
  void moveTo(EventLoop newLoop, SelectionKey newKey) {
    loop = newLoop;
    key = newKey;
  }

  EventLoop loop() {
    return loop;
  }

  SelectionKey key() {
    return key;
  }

  SocketChannel channel() {
    return channel;
  }

  SocketAddress client() {
    return client;
  }

  boolean hasUnsent() {
    return !outbox.isEmpty();
  }

  /** Whether replies are to come yet: to be sent, or of requests whose turn has not come. */
  boolean hasMoreToSay() {
    return hasUnsent() || queuedAgain;
  }

  /** Whether it is worth a thread's wait: its requests block, as far as the last ones tell. */
  boolean mayLinger() {
    return runner.blocks() && outbox.isEmpty() && inbox.isEmpty();
  }

  /** How long its client was silent before the last bytes came, in nanoseconds. */
  long silence() {
    return silence;
  }

  /**
   * Whether its client has been silent for too long, counted from the end of its last reply: who
   * waits for a reply is not idle, however long that takes; who does not take one is {@link
   * #isLate}.
   *
   * @param timeout 0 for never
   */
  boolean isIdle(long now, long timeout) {
    return timeout > 0 && !hasMoreToSay() && still(now) > timeout;
  }

  /** Whether a request is under way, as far as the thread that serves it can tell, or a part. */
  boolean hasWork() {
    return hasMoreToSay() || !inbox.isEmpty() || wire.isMidRecord();
  }

  /** Whether nothing is under way, and its client has been silent for that time. */
  boolean isQuiet(long now, long time) {
    return !hasWork() && still(now) > time;
  }

  /** How long nothing has moved. */
  private long still(long now) {
    return now - Math.max(lastActive, outbox.moved());
  }

  /**
   * Whether its client is too slow to read replies, to send the rest of a frame, or to begin TLS.
   */
  boolean isLate(long now, long timeout) {
    boolean waits = !outbox.isEmpty() || !inbox.isEmpty() || wire.isUnfinished();
    return timeout > 0 && waits && still(now) > timeout
        || outbox.isLate(now, timeout)
        || inbox.isLate(now, timeout);
  }

  /** Has it closed as soon as its last reply is sent. */
  void closeWhenSent(boolean close) {
    closeWhenSent |= close;
  }

  /**
   * Serves the connection: sends what is unsent, runs what is held, reads, runs, replies.
   *
   * @param inline true on the thread that leads the loop, which must not run a request that may
   *     block
   */
  Outcome serve(Io io, boolean inline) {
    session.lend(io.replies);
    try {
      return serveOpen(io, inline);
    } catch (IOException e) {
      LOG.debug("connection of {} broke: {}", client, e.toString());
      return Outcome.CLOSED;
    } catch (Throwable e) {
      LOG.error("connection of {} is closed after an unexpected failure", client, e);
      return Outcome.CLOSED;
    } finally {
      runner.end(io);
      io.replies.clear();
      session.takeBack();
      inbox.served();
    }
  }

  private Outcome serveOpen(Io io, boolean asLeader) throws IOException, TException {
    boolean inline = asLeader;
    if (closing || server.stopDeadlinePassed()) {
      return Outcome.CLOSED;
    }
    if (!session.hasBegun()) {
      inline = hooks.begin(io, asLeader);
      lastActive = System.nanoTime();
    }
    if (!outbox.sendUnsent(io)) {
      return Outcome.WRITE_BLOCKED;
    }
    if (closeWhenSent) {
      return Outcome.CLOSED;
    }
    if (!inbox.isEmpty()) {
      Outcome stopped = runHeld(io, inline);
      if (stopped != null) {
        return stopped;
      }
    }
    for (int round = 0; round < MAX_ROUNDS; round++) {
      if (server.isStopping()) {
        return Outcome.IDLE;
      }
      // A leader that has been deposed is a worker from then on, if workers are threads like it.
      boolean deposed = asLeader && io.leadership.isDeposed();
      if (deposed && server.options().virtualWorkers) {
        return Outcome.HAND_OFF;
      }
      io.readLimit = inbox.readLimit();
      if (io.readLimit == 0) {
        return Outcome.STARVED;
      }
      int count = wire.read(io);
      if (count <= 0) {
        return count == 0 ? readNothing(io) : Outcome.CLOSED;
      }
      if (round == 0) {
        silence = io.now - lastActive;
      }
      lastActive = io.now;
      server.metrics().bytesRead.add(count);
      Outcome stopped = runReceived(io, count, inline && !deposed);
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

  /** Ends it on the thread that leads its loop; false if a hook has cost the leadership. */
  boolean closeAsLeader(Io io) {
    return hooks.closeAsLeader(this, io);
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
    return stopped;
  }

  /**
   * Sends published replies on behalf of a leader that has been deposed; see {@link Leadership}.
   */
  int sendFor(ReplyBuffer replies, Io own) {
    try {
      return outbox.sendFor(replies, own);
    } catch (IOException e) {
      // Its owner finds out.
      LOG.debug("connection of {} broke: {}", client, e.toString());
      return 0;
    }
  }

  /** Ends the connection. Only for the thread that serves it; further calls do nothing. */
  void close(Io io) {
    if (closed) {
      return;
    }
    closed = true;
    inbox.drop();
    outbox.drop();
    try {
      wire.end(io);
    } catch (Throwable e) {
      LOG.trace("no goodbye to {}", client, e);
    }
    try {
      transport.close();
    } catch (Throwable e) {
      LOG.debug("closing the connection of {} failed", client, e);
    }
    try {
      hooks.end(closing);
    } finally {
      // Last: a drain that finds no connection any more tells that all hooks have been told, too.
      loop.connectionEnded();
    }
  }

  /**
   * Ends the connection with its last replies intact: the client sees them and then the end of the
   * stream, even if it has sent what will not be read any more.
   */
  void closeGracefully(Io io) {
    if (closed) {
      return;
    }
    sayGoodbye(io);
    close(io);
  }

  /** The graceful part of that, after which it is to be closed. */
  void sayGoodbye(Io io) {
    try {
      wire.end(io);
      channel.shutdownOutput();
      do {
        io.netIn.clear();
      } while (channel.read(io.netIn) > 0);
    } catch (IOException | RuntimeException e) {
      LOG.trace("{} was gone before the server said goodbye", client, e);
    }
  }

  /** Whether it has been broken, or is closed. */
  boolean isBroken() {
    return !channel.isOpen();
  }

  /** Breaks the connection from any thread. Its owner finds out and closes it. */
  void abort() {
    try {
      channel.close();
    } catch (IOException e) {
      LOG.trace("aborting the connection of {} failed", client, e);
    }
  }
}
