package dev.ringside.thrift.internal.loop;

import dev.ringside.thrift.internal.metrics.Failure;
import dev.ringside.thrift.internal.metrics.Failures;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds a worker's own selector, in which it waits for the connection that it lingers with. Opened
 * on first use; costs two or three file descriptors.
 */
public final class LingerSelector {
  private static final Logger LOG = LoggerFactory.getLogger(Failures.LOGGER);

  private final ReadyKeys ready;
  private final Failures failures;
  private volatile @Nullable Selector selector;
  private @Nullable SelectionKey key;

  public LingerSelector(ReadyKeys ready, Failures failures) {
    this.ready = ready;
    this.failures = failures;
  }

  /** Begins to watch a connection; returns false if that fails. */
  public boolean begin(SocketChannel channel) {
    try {
      if (selector == null) {
        selector = Selector.open();
      }
      key = channel.register(selector, SelectionKey.OP_READ);
      return true;
    } catch (ClosedChannelException e) {
      // It is found out where the connection is served next.
      return false;
    } catch (IOException e) {
      failures.add(Failure.LINGER, channel, "", e);
      return false;
    }
  }

  /** Waits; returns true if the connection has bytes, false after the time or a wake-up. */
  public boolean await(long millis) {
    Selector own = selector;
    if (own == null) {
      return false;
    }
    try {
      ready.select(own, millis);
      return ready.size() > 0;
    } catch (IOException e) {
      failures.add(Failure.LINGER, own, "", e);
      return false;
    }
  }

  /** Ends the current wait, or the next one. May be called from any thread. */
  public void wakeUp() {
    Selector waiting = selector;
    if (waiting != null) {
      waiting.wakeup();
    }
  }

  /**
   * Ends watching the connection.
   *
   * @param open false if it is about to be closed, which takes it out of the selector by itself
   */
  public void end(boolean open) {
    if (open && key != null) {
      key.cancel();
      deregisterClosed();
    }
    key = null;
  }

  /** Removes closed channels from the selector; until then their sockets stay open. */
  public void deregisterClosed() {
    if (selector != null) {
      try {
        selector.selectNow();
      } catch (IOException e) {
        LOG.debug("a worker's selector failed", e);
      }
    }
  }

  public void close() {
    if (selector != null) {
      try {
        selector.close();
      } catch (IOException e) {
        LOG.debug("closing a worker's selector failed", e);
      }
    }
  }
}
