package dev.ringside.thrift.internal.loop;

import dev.ringside.thrift.internal.metrics.Failures;
import dev.ringside.thrift.internal.wire.Inbox;
import dev.ringside.thrift.internal.wire.Outbox;
import dev.ringside.thrift.internal.wire.ReplyBuffer;
import dev.ringside.thrift.internal.wire.Sockets;
import dev.ringside.thrift.internal.wire.Wire;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import java.util.AbstractMap.SimpleImmutableEntry;
import org.apache.thrift.transport.TNonblockingTransport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Is the link of a connection to its client: the socket, what the client has sent and was not run
 * yet, and what the client has not read yet. Knows whether the client is late, and how to close the
 * link so that the client receives its last replies. For the thread that serves the connection.
 */
public final class Link {
  private static final Logger LOG = LoggerFactory.getLogger(Failures.LOGGER);

  /** How many reads may follow each other before other connections have their turn. */
  public static final int MAX_READS = 4;

  public final TNonblockingTransport transport;
  public final SocketChannel channel;
  public final SocketAddress client;

  /** The addresses of both ends, as a key. */
  public final Object addresses;

  public final Wire wire;
  public final Inbox inbox;
  public final Outbox outbox;

  /** System.nanoTime() when the last bytes arrived, or when their last request ended. */
  public long lastActive = System.nanoTime();

  private boolean closeWhenSent;
  private boolean discards;
  private boolean saidGoodbye;

  public Link(
      TNonblockingTransport transport, SocketChannel channel, Wire wire, Inbox inbox, Outbox outbox)
      throws IOException {
    this.transport = transport;
    this.channel = channel;
    this.client = channel.getRemoteAddress();
    this.addresses = new SimpleImmutableEntry<>(channel.getLocalAddress(), client);
    this.wire = wire;
    this.inbox = inbox;
    this.outbox = outbox;
  }

  /** Reports whether nothing is held and nothing is unsent, and the client may send requests. */
  public boolean isAtRest() {
    return !discards && outbox.isEmpty() && inbox.isEmpty();
  }

  /** Reports whether a request, a part of one, or a reply is under way. */
  public boolean hasWork() {
    return !outbox.isEmpty() || !inbox.isEmpty() || wire.isMidRecord();
  }

  /** Returns how long no byte has moved, in ns. */
  public long still(long now) {
    return now - Math.max(lastActive, outbox.moved());
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
        && (!outbox.isEmpty() && still > timeout
            || discards && still > timeout
            || inbox.isUnfinished() && Math.min(still, now - inbox.began()) > timeout
            || wire.isUnfinished()
                && !inbox.isStarved()
                && Math.min(still, now - wire.began()) > timeout
            || outbox.isLate(now, timeout)
            || inbox.isLate(now, timeout));
  }

  /**
   * Sets whether what comes after the last reply is dropped until the client ends the stream. Then
   * the link is closed.
   */
  public void discardWhenSent(boolean discard) {
    discards |= discard;
    closeWhenSent |= discard;
  }

  /** Sets whether the link is closed as soon as its last reply is sent. */
  public void closeWhenSent(boolean close) {
    closeWhenSent |= close;
  }

  public boolean closesWhenSent() {
    return closeWhenSent;
  }

  /** Ends serving a link that must be closed and has nothing unsent. */
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

  /**
   * Leaves the last replies intact: the client receives them and then the end of the stream, even
   * if it has sent bytes that will not be read. The link must be closed afterwards.
   */
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

  /** Closes the link and drops what it holds. */
  public void close(Io io) {
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
  }

  /** Reports whether it has been broken, or is closed. */
  public boolean isBroken() {
    return !channel.isOpen();
  }

  /** Breaks the link; its owner notices and closes it. May be called from any thread. */
  public void abort() {
    try {
      channel.close();
    } catch (Throwable e) {
      // It is closed for this process, whatever the kernel says.
    }
  }
}
