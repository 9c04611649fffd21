package dev.ringside.thrift.internal.loop;

import dev.ringside.thrift.internal.habits.MethodHabits;
import dev.ringside.thrift.internal.metrics.CloseReason;
import dev.ringside.thrift.internal.metrics.Failure;
import dev.ringside.thrift.internal.metrics.Failures;
import dev.ringside.thrift.internal.wire.Inbox;
import dev.ringside.thrift.internal.wire.Outbox;
import dev.ringside.thrift.internal.wire.ReplyBuffer;
import dev.ringside.thrift.internal.wire.Wire;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.thrift.transport.TNonblockingTransport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Represents one client's connection: its socket, what the client has sent and was not run yet,
 * what the client has not read yet, and why and how the connection ends. {@link RequestRunner}
 * serves it.
 *
 * <p>At most one thread serves it at any time; see {@link Ownership}. All other state belongs to
 * that thread.
 */
public final class Connection {
  private static final Logger LOG = LoggerFactory.getLogger(Failures.LOGGER);

  /** How many reads of dropped bytes follow each other before other connections have their turn. */
  private static final int MAX_READS = 4;

  public final Ownership ownership = new Ownership();
  public final SocketChannel channel;
  public final SocketAddress client;

  /** The addresses of both ends, as a key; null where addresses distinguish no clients. */
  public final @Nullable Object addresses;

  public final Wire wire;
  public final Inbox inbox;
  public final Outbox outbox;
  public final Session session;

  private final ServerRun run;
  private final TNonblockingTransport transport;
  private EventLoop loop;
  private SelectionKey key;

  /** System.nanoTime() when the last bytes arrived, or when their last request ended. */
  public long lastActive = System.nanoTime();

  /** The method of its last request. */
  public @Nullable MethodHabits lastMethod;

  /** System.nanoTime() when this was handed off; set by the thread that hands it off. */
  public long handedOffAt;

  /** Whether it has waited too long for a worker; what it holds is then not run. */
  public boolean expired;

  /** Whether the server does not read or run for it, because memory is short. */
  public boolean waitsForMemory;

  /** The size of the reply that its next request is expected to have, if it waits for that. */
  public int nextReply;

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

  /** Whether {@link PortReuse} makes this one wait. */
  public volatile boolean waitsForPort;

  /** The outcome of serving by the owner; for the loop that gets the connection back. */
  public Outcome outcome = Outcome.IDLE;

  private final AtomicReference<@Nullable CloseReason> reason = new AtomicReference<>();
  private boolean closeWhenSent;
  private boolean discards;
  private boolean saidGoodbye;
  private boolean closed;

  /** Creates the connection of a new client, which a loop watches with that key. */
  public Connection(
      ServerRun run, EventLoop loop, TNonblockingTransport transport, SelectionKey key)
      throws IOException {
    this.run = run;
    this.loop = loop;
    this.transport = transport;
    this.key = key;
    this.channel = (SocketChannel) key.channel();
    run.options.setOn(channel);
    this.client = channel.getRemoteAddress();
    this.addresses =
        client instanceof InetSocketAddress
            ? new SimpleImmutableEntry<>(channel.getLocalAddress(), client)
            : null;
    this.wire = run.wires.wire(channel);
    this.inbox = new Inbox(run.requests, run.options.maxFrameBytes);
    this.outbox = new Outbox(wire, run.metrics, run.replies);
    this.session = new Session(run, client, transport, wire);
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
    return queuedAgain || !outbox.isEmpty();
  }

  /** Reports whether a thread should wait for its next request: its last request was handed off. */
  public boolean mayLinger() {
    return lastMethod != null
        && lastMethod.handOff()
        && !discards
        && outbox.isEmpty()
        && inbox.isEmpty();
  }

  /** Reports whether a request, or a part of one, is under way as far as its owner knows. */
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
   * Reports whether its client has been silent for too long since its last reply. One that waits
   * for a reply is not idle; one that does not read a reply is {@link #isLate}. 0 ns is no limit.
   */
  public boolean isIdle(long now, long timeout) {
    return timeout > 0 && !hasMoreToSay() && !waitsForMemory && still(now) > timeout;
  }

  /**
   * Reports whether its client is too slow to read replies, to send the rest of a frame, or to
   * begin TLS.
   *
   * @param timeout in ns; 0 is no limit
   */
  public boolean isLate(long now, long timeout) {
    long still = still(now);
    return timeout > 0
        && !waitsForMemory
        && ((discards || !outbox.isEmpty()) && still > timeout
            || inbox.isUnfinished() && Math.min(still, now - inbox.began()) > timeout
            || wire.isUnfinished() && Math.min(still, now - wire.began()) > timeout
            || outbox.isLate(now, timeout)
            || inbox.isLate(now, timeout));
  }

  /** Counts as if its client had been active just now, because the server was not until now. */
  public void beginAgain(long now) {
    lastActive = now;
    inbox.beginAgain(now);
    outbox.beginAgain(now);
    wire.beginAgain(now);
  }

  /** Reports whether it probably need not wait for memory any more. */
  public boolean hasRoom() {
    return inbox.hasRoom() && outbox.reserves(nextReply);
  }

  /**
   * Sets whether what comes after the last reply is dropped until the client ends the stream. Then
   * the connection is closed.
   */
  public void discardWhenSent(boolean discard) {
    discards |= discard;
    closeWhenSent |= discard;
  }

  /** Sets whether the connection is closed as soon as its last reply is sent. */
  public void closeWhenSent(boolean close) {
    closeWhenSent |= close;
  }

  public boolean closesWhenSent() {
    return closeWhenSent;
  }

  /** Ends serving a connection that must be closed and has nothing unsent. */
  public Outcome finish(Io io) throws IOException {
    return discards ? discard(io) : Outcome.CLOSED;
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
    for (int i = 0; i < MAX_READS; i++) {
      io.net.clear();
      int count = Wire.read(channel, io.net);
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

  /**
   * Records why it is about to be closed. The first reason counts; without any it is the client's
   * doing. May be called from any thread.
   *
   * @param detail what exactly happened, or nothing
   */
  public void closes(CloseReason why, String detail) {
    if (reason.compareAndSet(null, why)) {
      run.metrics.closings.add(why, client, detail);
    }
  }

  /** Records that it is about to be closed because something failed. Never throws. */
  public void failed(Throwable e) {
    run.metrics.failures.add(Failure.CONNECTION, client, "", e);
    closes(CloseReason.FAILURE, "");
  }

  /** Reports whether a worker should begin or end it, because hooks block. */
  public boolean hasSlowHooks() {
    return run.hooks.handOff();
  }

  /** Ends it on the thread that leads its loop; returns false if a hook cost the leadership. */
  public boolean closeAsLeader(Io io) {
    return run.hooks.run(io, true, () -> close(io));
  }

  /** Ends the connection with its last replies intact, as {@link #sayGoodbye} does. */
  public void closeGracefully(Io io) {
    if (!closed) {
      sayGoodbye(io);
      close(io);
    }
  }

  /**
   * Leaves the last replies intact: the client receives them and then the end of the stream, even
   * if it has sent bytes that will not be read. The connection must be closed afterwards.
   */
  public void sayGoodbye(Io io) {
    try {
      wire.end(io);
      channel.shutdownOutput();
      do {
        io.net.clear();
      } while (Wire.read(channel, io.net) > 0);
    } catch (IOException | RuntimeException e) {
      LOG.trace("{} was gone before the server said goodbye", client, e);
    }
  }

  /** Ends the connection. For the thread that serves it only; further calls do nothing. */
  public void close(Io io) {
    if (closed) {
      return;
    }
    closed = true;
    closes(CloseReason.CLIENT, "");
    try {
      closeSocket(io);
    } finally {
      try {
        end(io);
      } finally {
        // Last: when a drain finds no more connections, all hooks have run, too.
        loop.connectionEnded();
      }
    }
  }

  private void closeSocket(Io io) {
    try {
      inbox.drop();
      outbox.drop();
      wire.end(io);
    } catch (Throwable e) {
      // Whatever it is, even a lack of memory: the client hears no goodbye, and the socket must not
      // stay open.
    }
    try {
      transport.close();
    } catch (Throwable e) {
      // A user's transport may throw anything.
      abort();
    }
  }

  private void end(Io io) {
    try {
      if (closing) {
        run.hooks.run(io, false, session::end);
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
    waitsForPort = false;
    outcome = Outcome.HAND_OFF;
    try {
      loop.giveBack(this, io);
    } catch (Throwable e) {
      // A connection that no thread has would never end.
      failed(e);
      close(io);
      loop.wakeUp();
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
