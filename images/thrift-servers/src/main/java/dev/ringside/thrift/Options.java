package dev.ringside.thrift;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;

/**
 * Holds the configuration of a running server; see {@link TDisruptorServer.Args} for the meanings.
 * Immutable.
 */
final class Options {
  /** A pass over a thousand silent connections costs half a millisecond. */
  private static final long MAX_SWEEP_MILLIS = 5000;

  final String name;
  final int selectors;
  final int minWorkers;
  final int maxWorkers;
  final int ringSize;
  final WaitMode waitMode;
  final int maxFrameBytes;
  final long maxReadBufferBytes;
  final int maxConnections;
  final long idleTimeoutNanos;
  final long stallTimeoutNanos;
  final long queueTimeoutNanos;
  final long stopTimeoutNanos;
  final long inlineLimitNanos;
  final long blockedAfterNanos;
  final LingerTime linger;
  final ThreadFactory threadFactory;
  final ConnectionListener listener;
  final SSLContext sslContext;
  final boolean clientAuthentication;
  final String[] tlsProtocols;
  final String[] cipherSuites;
  final int ioBufferBytes;

  Options(TDisruptorServer.Args args) {
    this.name = args.name;
    this.selectors = args.selectors;
    this.minWorkers = Math.min(args.minWorkers, args.maxWorkers);
    this.maxWorkers = args.maxWorkers;
    this.ringSize = Integer.highestOneBit(Math.max(2, args.ringSize) * 2 - 1);
    this.waitMode = args.waitMode;
    this.maxFrameBytes = (int) Math.min(args.maxFrameBytes, args.maxReadBufferBytes);
    this.maxReadBufferBytes = args.maxReadBufferBytes;
    this.maxConnections = args.maxConnections;
    this.idleTimeoutNanos = args.idleTimeoutNanos;
    this.stallTimeoutNanos = args.stallTimeoutNanos;
    this.queueTimeoutNanos = args.queueTimeoutNanos;
    this.stopTimeoutNanos = args.stopTimeoutNanos;
    this.inlineLimitNanos = args.inlineLimitNanos;
    this.blockedAfterNanos = args.blockedAfterNanos;
    this.linger = new LingerTime(args.lingerMillis, args.maxWorkers, args.idleTimeoutNanos);
    this.threadFactory = args.threadFactory;
    this.listener = args.listener;
    this.sslContext = args.sslContext;
    this.clientAuthentication = args.clientAuthentication;
    this.tlsProtocols = args.tlsProtocols;
    this.cipherSuites = args.cipherSuites;
    this.ioBufferBytes = ioBufferBytes(maxWorkers);
  }

  /** Returns how often to check for silent connections, in ms; -1 is never. */
  long sweepMillis() {
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
