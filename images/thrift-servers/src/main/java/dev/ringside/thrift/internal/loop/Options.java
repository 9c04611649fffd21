package dev.ringside.thrift.internal.loop;

import dev.ringside.thrift.ConnectionListener;
import dev.ringside.thrift.internal.habits.CpuLoad;
import dev.ringside.thrift.internal.work.HandOffRing;
import java.io.IOException;
import java.net.SocketOption;
import java.nio.channels.SocketChannel;
import java.util.LinkedHashMap;
import java.util.Map;
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

  /** Up to this number threads are few, some 12 MB; half of the limit where that is less. */
  private static final int FEW_THREADS = 64;

  /** With these, a reply of 1 MB is in direct memory. */
  private static final int MAX_DIRECT_PIECES = 16;

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

  /** Up to this number of threads workers linger: where they would be idle anyway. */
  public int lingerThreads;

  @SuppressWarnings("NullAway.Init") // If not set, the server's constructor sets the default.
  public ThreadFactory threadFactory;

  /** Options of each connection's socket, with their values. */
  public Map<SocketOption<?>, Object> socketOptions = new LinkedHashMap<>();

  public ConnectionListener listener = ConnectionListener.NONE;
  public @Nullable SSLContext sslContext;
  public boolean clientAuthentication;
  public String @Nullable [] tlsProtocols;
  public String @Nullable [] cipherSuites;
  public int ioBufferBytes;

  /** How many further buffers of that size each thread may keep in direct memory. */
  public int directPieces;

  /** Creates what hands requests to workers, unless it is set, which only tests do. */
  public @Nullable Supplier<HandOffRing<Connection>> ring;

  HandOffRing<Connection> newRing() {
    return ring == null ? new HandOffRing<>(ringSize) : ring.get();
  }

  /** Returns a copy, which later changes of these do not reach. */
  public Options copy() {
    try {
      Options copy = (Options) clone();
      copy.socketOptions = new LinkedHashMap<>(socketOptions);
      return copy;
    } catch (CloneNotSupportedException e) {
      throw new AssertionError(e);
    }
  }

  /** Sets the options of a connection's socket. */
  public void setOn(SocketChannel channel) throws IOException {
    for (Map.Entry<SocketOption<?>, Object> option : socketOptions.entrySet()) {
      set(channel, option.getKey(), option.getValue());
    }
  }

  /** The setter of the arguments has checked the type. */
  @SuppressWarnings("unchecked")
  private static <V> void set(SocketChannel channel, SocketOption<V> option, Object value)
      throws IOException {
    channel.setOption(option, (V) value);
  }

  /** Derives the values that depend on several options. After this, nothing changes. */
  public void settle() {
    minWorkers = Math.min(minWorkers, maxWorkers);
    ringSize = Integer.highestOneBit(Math.max(2, ringSize) * 2 - 1);
    // A frame is admitted if twice its length is free.
    maxFrameBytes = (int) Math.min(maxFrameBytes, Math.max(1, maxReadBufferBytes / 2));
    lingerThreads = Math.min(FEW_THREADS, maxWorkers / 2);
    if (idleTimeoutNanos > 0) {
      // The loop cannot close a connection that a worker keeps.
      long idleMillis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(idleTimeoutNanos));
      lingerMillis = Math.min(lingerMillis, idleMillis);
    }
    long direct = CpuLoad.maxDirectBytes();
    ioBufferBytes = ioBufferBytes(maxWorkers, sslContext != null, direct);
    long more = direct / 4 / ((long) maxWorkers + selectors) / ioBufferBytes - 1;
    // TLS copies replies anyway.
    directPieces = sslContext != null ? 0 : (int) Math.max(0, Math.min(MAX_DIRECT_PIECES, more));
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

  /**
   * Returns the size of each of a thread's buffers: 64 KB, or less if many threads are allowed. One
   * of them is in direct memory, of which all threads together use a quarter at most.
   */
  static int ioBufferBytes(int threads, boolean tls, long directBytes) {
    int max = 64 << 10;
    // The largest record of TLS has 33 KB.
    int min = tls ? 36 << 10 : 8 << 10;
    long share = Math.min(64 << 20, directBytes / 4) / threads;
    return (int) Math.max(min, Math.min(max, Long.highestOneBit(share)));
  }
}
