package dev.ringside.thrift.internal.loop;

import dev.ringside.thrift.ConnectionListener;
import dev.ringside.thrift.internal.work.HandOffRing;
import dev.ringside.thrift.internal.work.LingerTime;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Holds a server's options; see {@code TDisruptorServer.Args} for the meanings. They change until
 * they are settled.
 */
public final class Options implements Cloneable {
  /** A pass over a thousand silent connections costs half a millisecond. */
  private static final long MAX_SWEEP_MILLIS = 5000;

  public String name = "thrift";
  public int selectors;
  public int minWorkers;
  public int maxWorkers;
  public int ringSize;

  public int maxFrameBytes;
  public long maxReadBufferBytes;
  public int maxConnections;
  public long idleTimeoutNanos;
  public long stallTimeoutNanos;
  public long queueTimeoutNanos;
  public long stopTimeoutNanos;
  public long inlineLimitNanos;
  public long blockedAfterNanos;
  public long lingerMillis;

  @SuppressWarnings("NullAway.Init") // Set by settle(), before the server reads it.
  public LingerTime linger;

  @SuppressWarnings("NullAway.Init") // If not set, the server's constructor sets the default.
  public ThreadFactory threadFactory;

  public ConnectionListener listener = ConnectionListener.NONE;
  public @Nullable SSLContext sslContext;
  public boolean clientAuthentication;
  public String @Nullable [] tlsProtocols;
  public String @Nullable [] cipherSuites;
  public int ioBufferBytes;

  /** Creates what hands requests to workers, unless it is set, which only tests do. */
  public @Nullable Supplier<HandOffRing<Connection>> ring;

  HandOffRing<Connection> newRing() {
    return ring == null ? new HandOffRing<>(ringSize) : ring.get();
  }

  /** Returns a copy, which later changes of these do not reach. */
  public Options copy() {
    try {
      return (Options) clone();
    } catch (CloneNotSupportedException e) {
      throw new AssertionError(e);
    }
  }

  /** Derives the values that depend on several options. After this, nothing changes. */
  public void settle() {
    minWorkers = Math.min(minWorkers, maxWorkers);
    ringSize = Integer.highestOneBit(Math.max(2, ringSize) * 2 - 1);
    maxFrameBytes = (int) Math.min(maxFrameBytes, maxReadBufferBytes);
    linger = new LingerTime(lingerMillis, maxWorkers, idleTimeoutNanos);
    ioBufferBytes = ioBufferBytes(maxWorkers);
  }

  /** Returns how often to check for silent connections, in ms; -1 is never. */
  public long sweepMillis() {
    long shortest = Long.MAX_VALUE;
    if (idleTimeoutNanos > 0) {
      shortest = idleTimeoutNanos;
    }
    if (stallTimeoutNanos > 0) {
      shortest = Math.min(shortest, stallTimeoutNanos);
    }
    return shortest == Long.MAX_VALUE
        ? -1
        : Math.max(5, Math.min(MAX_SWEEP_MILLIS, TimeUnit.NANOSECONDS.toMillis(shortest) / 4));
  }

  /** Returns the size of each of a thread's buffers: 64 KB, or less if many threads are allowed. */
  private static int ioBufferBytes(int threads) {
    int max = 64 << 10;
    int min = 32 << 10;
    return Math.max(min, Math.min(max, Integer.highestOneBit((64 << 20) / threads)));
  }
}
