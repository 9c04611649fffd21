package dev.ringside.thrift;

import dev.ringside.thrift.internal.loop.Options;
import dev.ringside.thrift.internal.wire.Libthrift;
import java.net.SocketOption;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.apache.thrift.server.TServer;
import org.apache.thrift.transport.TNonblockingServerTransport;
import org.jspecify.annotations.Nullable;

/**
 * Holds the arguments of {@link TDisruptorServer}, with fluent setters as in libthrift. Numbers can
 * also be set from text: see {@link ServerOption}. Not thread-safe.
 *
 * <p>Errors: a setter throws {@link IllegalArgumentException} for null and for a value that is too
 * small; the message names the option, the value and the limit.
 *
 * @param <T> type that setters return
 */
public abstract class DisruptorArgs<T extends DisruptorArgs<T>>
    extends TServer.AbstractServerArgs<T> {
  final Options options = new Options();

  DisruptorArgs(TNonblockingServerTransport transport) {
    super(transport);
    transportFactory(Libthrift.framedTransportFactory());
    for (ServerOption option : ServerOption.values()) {
      option.setDefault(this);
    }
  }

  @SuppressWarnings("unchecked")
  private T self() {
    return (T) this;
  }

  /** Sets the name of threads and MBean. Default {@code thrift}. */
  public T name(String value) {
    options.name = notNull("name", value);
    return self();
  }

  /**
   * Sets the largest number of event loops, each led by one thread. As many are in use as the load
   * needs and idle processors allow. More than there are processors have no use; twice as many are
   * the limit. Default: the number of processors.
   */
  public T selectors(int value) {
    options.selectors = ServerOption.SELECTORS.checkedInt(value);
    return self();
  }

  /**
   * Sets the largest number of threads that run requests of methods that block. They are started
   * when needed, each with up to 192 KB of buffers, of which up to 64 KB in direct memory, and end
   * after 30 s without work. One that has written a large reply keeps up to 1 MB more, in direct
   * memory if all together then use a quarter of it at most. Default 64.
   */
  public T maxWorkers(int value) {
    options.maxWorkers = ServerOption.WORKERS.checkedInt(value);
    return self();
  }

  /** Sets how many idle workers are kept. Default 0. */
  public T minWorkers(int value) {
    options.minWorkers = ServerOption.MIN_WORKERS.checkedInt(value);
    return self();
  }

  /**
   * Sets how many requests may wait for a worker, rounded up to a power of two. When the ring is
   * full, the server stops reading from connections that would need it. Default 1024.
   */
  public T ringSize(int value) {
    options.ringSize = ServerOption.RING_SIZE.checkedInt(value);
    return self();
  }

  /**
   * Sets the largest request, in bytes. A larger one is answered with {@code PROTOCOL_ERROR} if its
   * message header comes with it, and the client is disconnected. A lower limit of the transport
   * factory counts instead, and half of {@link #maxReadBufferBytes}. Default 16,384,000.
   */
  public T maxFrameBytes(int value) {
    options.maxFrameBytes = ServerOption.MAX_FRAME_BYTES.checkedInt(value);
    return self();
  }

  /**
   * Sets the memory, in bytes, for requests of all connections that are received and not run yet. A
   * frame of more than 64 KB is read on only if twice its length is free of it, so none may be
   * larger than half of it. The same amount is allowed for replies that clients have not read:
   * while it is used up, requests wait that are expected to have a reply of more than 64 KB, or
   * whose clients read slowly. Each connection may hold 64 KB of both beyond it, less if there are
   * many. Default: a quarter of the largest heap, for each.
   */
  public T maxReadBufferBytes(long value) {
    options.maxReadBufferBytes = ServerOption.MAX_READ_BUFFER_BYTES.checked(value);
    return self();
  }

  /**
   * Sets the largest number of open connections. Further ones are closed when they are accepted.
   * Default: no limit.
   */
  public T maxConnections(int value) {
    options.maxConnections = ServerOption.MAX_CONNECTIONS.checkedInt(value);
    return self();
  }

  /**
   * Sets how long a request may wait for a worker. One that has waited longer is not run: it is
   * answered with {@code INTERNAL_ERROR}, as are those that its client had sent behind it. 0, the
   * default, is no limit.
   */
  public T queueTimeout(long value, TimeUnit unit) {
    if (value < 0) {
      throw new IllegalArgumentException("queueTimeout is " + value + ": give at least 0");
    }
    options.queueTimeoutNanos = unit.toNanos(value);
    return self();
  }

  /**
   * Sets how long a connection may be silent before it is closed, counted from the end of its last
   * reply. 0, the default, is no limit.
   */
  public T idleTimeout(long value, TimeUnit unit) {
    options.idleTimeoutNanos = unit.toNanos(ServerOption.IDLE_TIMEOUT_MS.checked(value));
    return self();
  }

  /**
   * Sets how long a client may leave a reply unread or a frame unfinished before its connection is
   * closed, in addition to the time that the bytes take at 64 KB/s. 0 is no limit. Default 30 s.
   */
  public T stallTimeout(long value, TimeUnit unit) {
    options.stallTimeoutNanos = unit.toNanos(ServerOption.STALL_TIMEOUT_MS.checked(value));
    return self();
  }

  /** Sets how long requests may take to end after {@code stop()}. Default 5 s. */
  public T stopTimeout(long value, TimeUnit unit) {
    options.stopTimeoutNanos = unit.toNanos(ServerOption.STOP_TIMEOUT_MS.checked(value));
    return self();
  }

  /**
   * Sets the average CPU time per call above which a method is handed off. Calls of other methods
   * run where they were read and delay their neighbours by about this much at most. Default 250 µs.
   * 0 hands off every call.
   */
  public T inlineLimit(long value, TimeUnit unit) {
    options.inlineLimitNanos = unit.toNanos(ServerOption.INLINE_LIMIT_US.checked(value));
    return self();
  }

  /**
   * Sets how long a call may wait on the thread of an event loop before another thread leads the
   * loop. The watchdog polls twice in this time, for some 5 µs of CPU each, while requests run on
   * loops. Default 1 ms.
   */
  public T blockedAfter(long value, TimeUnit unit) {
    options.blockedAfterNanos = unit.toNanos(ServerOption.BLOCKED_AFTER_US.checked(value));
    return self();
  }

  /**
   * Sets how long a worker waits, if nothing else needs it, for the next request of the connection
   * that it just answered. 0 is off. Saves two wake-ups per request; costs one thread per active
   * connection, up to {@link #maxWorkers}. With more than 64 threads, or half as many as allowed,
   * none waits. Default 10 s.
   */
  public T linger(long value, TimeUnit unit) {
    options.lingerMillis = unit.toMillis(ServerOption.LINGER_MS.checked(value));
    return self();
  }

  /**
   * Sets what creates all threads that may run handlers. Default: daemon threads named after the
   * server, which can be interrupted only while they run a handler or a hook. On Java 8 a late
   * interrupt of another thread may close the connection that it reads at that moment. It must
   * create platform threads: the server's constructor creates one to check, and rejects a factory
   * of virtual threads.
   */
  public T threadFactory(ThreadFactory value) {
    options.threadFactory = notNull("threadFactory", value);
    return self();
  }

  /**
   * Sets an option of each connection's socket, such as a buffer's size, or how often the kernel
   * asks a silent client whether it is there ({@code jdk.net.ExtendedSocketOptions.TCP_KEEPIDLE}).
   * Default: what libthrift sets, no delay and keepalive.
   */
  public <V> T socketOption(SocketOption<V> option, V value) {
    options.socketOptions.put(notNull("socketOption", option), notNull(option.name(), value));
    return self();
  }

  /** Sets the listener for connections and requests. Default: none. */
  public T connectionListener(ConnectionListener value) {
    options.listener = notNull("connectionListener", value);
    return self();
  }

  /** Sets the TLS context. Default: no TLS. */
  public T tls(SSLContext value) {
    options.sslContext = notNull("tls", value);
    return self();
  }

  /** Sets whether TLS clients must present a certificate that the context trusts. Default false. */
  public T tlsClientAuthentication(boolean value) {
    options.clientAuthentication = value;
    return self();
  }

  /** Sets the allowed TLS versions and cipher suites. Null, the default, is the JVM's choice. */
  @SuppressWarnings("exports") // Modules of users need not require the module of @Nullable.
  public T tlsAllowed(String @Nullable [] protocols, String @Nullable [] suites) {
    options.tlsProtocols = protocols == null ? null : protocols.clone();
    options.cipherSuites = suites == null ? null : suites.clone();
    return self();
  }

  private static <T> T notNull(String option, T value) {
    if (value == null) {
      throw new IllegalArgumentException(option + " is null");
    }
    return value;
  }
}
