package dev.ringside.thrift;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import org.apache.thrift.server.TServer;
import org.apache.thrift.transport.TNonblockingServerTransport;

/**
 * The arguments of {@link TDisruptorServer}, in libthrift's manner. Every setter refuses what makes
 * no sense. What is a number or a word can also be set as text: see {@link ServerOption}.
 *
 * @param <T> what setters return
 */
public abstract class DisruptorArgs<T extends DisruptorArgs<T>>
    extends TServer.AbstractServerArgs<T> {
  final TNonblockingServerTransport transport;
  String name = "thrift";
  int selectors = ServerOption.SELECTORS.otherwiseInt();
  int minWorkers = ServerOption.MIN_WORKERS.otherwiseInt();
  int maxWorkers = ServerOption.WORKERS.otherwiseInt();
  int ringSize = ServerOption.RING_SIZE.otherwiseInt();
  WaitMode waitMode = WaitMode.BLOCKING;
  int maxFrameBytes = ServerOption.MAX_FRAME_BYTES.otherwiseInt();
  long maxReadBufferBytes = ServerOption.MAX_READ_BUFFER_BYTES.otherwise();
  int maxConnections = ServerOption.MAX_CONNECTIONS.otherwiseInt();
  long idleTimeoutNanos = nanos(ServerOption.IDLE_TIMEOUT_MS, TimeUnit.MILLISECONDS);
  long stallTimeoutNanos = nanos(ServerOption.STALL_TIMEOUT_MS, TimeUnit.MILLISECONDS);
  long stopTimeoutNanos = nanos(ServerOption.STOP_TIMEOUT_MS, TimeUnit.MILLISECONDS);
  long inlineLimitNanos = nanos(ServerOption.INLINE_LIMIT_US, TimeUnit.MICROSECONDS);
  long blockedAfterNanos = nanos(ServerOption.BLOCKED_AFTER_US, TimeUnit.MICROSECONDS);
  long lingerMillis = ServerOption.LINGER_MS.otherwise();
  ThreadFactory threadFactory;
  boolean virtualWorkers;
  ConnectionListener listener = ConnectionListener.NONE;
  SSLContext sslContext;
  boolean clientAuthentication;
  String[] tlsProtocols;
  String[] cipherSuites;
  boolean methodMetrics;

  /** What hands requests to workers. Only tests and benchmarks have another. */
  Function<TDisruptorServer, HandOff<Connection>> handOff =
      server ->
          server.options().virtualWorkers
              ? new VirtualHandOff(server)
              : new HandOffRing<>(server.options().ringSize);

  DisruptorArgs(TNonblockingServerTransport transport) {
    super(transport);
    this.transport = transport;
    transportFactory(Libthrift.framedTransportFactory());
  }

  @SuppressWarnings("unchecked")
  private T self() {
    return (T) this;
  }

  /** What threads and the MBean are named after. Default {@code thrift}. */
  public T name(String value) {
    name = notNull("name", value);
    return self();
  }

  /**
   * Event loops, each led by one thread, at most: as many are in use as the load needs and idle
   * processors allow. More than there are cores is of no use. Default: as many as there are cores.
   */
  public T selectors(int value) {
    selectors = ServerOption.SELECTORS.checkedInt(value);
    return self();
  }

  /**
   * Threads that run requests of methods that block, at most. Started when needed, each with up to
   * 192 KB of buffers; ended after 30 s without work. Default 64.
   */
  public T maxWorkers(int value) {
    maxWorkers = ServerOption.WORKERS.checkedInt(value);
    return self();
  }

  /** Workers that are kept though idle. Default 0. */
  public T minWorkers(int value) {
    minWorkers = ServerOption.MIN_WORKERS.checkedInt(value);
    return self();
  }

  /**
   * Requests that may wait for a worker, rounded up to a power of two. When the ring is full, the
   * server reads no more from the connections whose requests would have to go there. Default 1024.
   */
  public T ringSize(int value) {
    ringSize = ServerOption.RING_SIZE.checkedInt(value);
    return self();
  }

  /** How workers without work wait. Default {@link WaitMode#BLOCKING}. */
  public T waitMode(WaitMode value) {
    waitMode = notNull("waitMode", value);
    return self();
  }

  /**
   * The largest request; a client that announces a larger one is cut off. Default 16,384,000 bytes.
   */
  public T maxFrameBytes(int value) {
    maxFrameBytes = ServerOption.MAX_FRAME_BYTES.checkedInt(value);
    return self();
  }

  /**
   * Memory for requests that are received and not executed yet, over all connections. When it is
   * used up, the server stops reading. Default 256 MB.
   */
  public T maxReadBufferBytes(long value) {
    maxReadBufferBytes = ServerOption.MAX_READ_BUFFER_BYTES.checked(value);
    return self();
  }

  /**
   * Connections at a time; further ones are closed as soon as they are accepted. Default: no limit.
   */
  public T maxConnections(int value) {
    maxConnections = ServerOption.MAX_CONNECTIONS.checkedInt(value);
    return self();
  }

  /**
   * How long a connection may be silent before it is closed, counted from the end of its last
   * reply; 0 for ever, which is the default.
   */
  public T idleTimeout(long value, TimeUnit unit) {
    idleTimeoutNanos = unit.toNanos(ServerOption.IDLE_TIMEOUT_MS.checked(value));
    return self();
  }

  /**
   * How long a client may leave a reply unread or a frame unfinished, with no byte moving, before
   * its connection is closed; 0 for ever. Default 30 s.
   */
  public T stallTimeout(long value, TimeUnit unit) {
    stallTimeoutNanos = unit.toNanos(ServerOption.STALL_TIMEOUT_MS.checked(value));
    return self();
  }

  /** How long after stop() requests may take to end. Default 5 s. */
  public T stopTimeout(long value, TimeUnit unit) {
    stopTimeoutNanos = unit.toNanos(ServerOption.STOP_TIMEOUT_MS.checked(value));
    return self();
  }

  /**
   * A method whose calls take longer than this on average is handed off; below, calls run where
   * they were read and delay their neighbours by this much at most. Default 250 µs. 0 hands off
   * every call.
   */
  public T inlineLimit(long value, TimeUnit unit) {
    inlineLimitNanos = unit.toNanos(ServerOption.INLINE_LIMIT_US.checked(value));
    return self();
  }

  /**
   * After how long a call that waits on the thread of an event loop costs it the loop. Halving it
   * doubles the looks of the watchdog, each some 5 µs of CPU while requests run inline. Default 1
   * ms.
   */
  public T blockedAfter(long value, TimeUnit unit) {
    blockedAfterNanos = unit.toNanos(ServerOption.BLOCKED_AFTER_US.checked(value));
    return self();
  }

  /**
   * How long a worker waits at most for the next request of the connection whose blocking request
   * it has just answered, if nothing else needs it; 0 for not at all. It saves two wakeups per
   * request at the price of one thread for each connection that is active, up to the limit of
   * workers. Where the server has more than {@value LingerTime#FEW_THREADS} threads, or half as
   * many as it may have, it is {@value LingerTime#AMONG_MANY_MILLIS} ms at most. Default 10 s.
   */
  public T linger(long value, TimeUnit unit) {
    lingerMillis = unit.toMillis(ServerOption.LINGER_MS.checked(value));
    return self();
  }

  /**
   * Makes all threads that may run handlers. Default: daemon threads named after the server.
   * Threads of the platform: a factory of virtual ones is refused, and is asked for one to find
   * that out; see {@link #virtualWorkers}.
   */
  public T threadFactory(ThreadFactory value) {
    threadFactory = notNull("threadFactory", value);
    return self();
  }

  /**
   * Whether requests that are handed off run on virtual threads, {@link #maxWorkers} at a time,
   * which may be many thousands: each costs some 20 KB while its request runs, with TLS 180 KB.
   * Event loops stay on threads of the platform, on which methods are learned as ever. Nobody
   * lingers, and neither {@link #minWorkers} nor {@link #waitMode} means anything: nobody waits for
   * work. A handler that computes holds one of the JVM's few carrier threads. Default false.
   *
   * @throws IllegalArgumentException on a Java before 21
   */
  public T virtualWorkers(boolean value) {
    if (value && !VirtualThreads.exist()) {
      throw new IllegalArgumentException(
          "virtualWorkers needs Java 21 or later, and this is "
              + System.getProperty("java.version")
              + ": leave it out, or run a later one");
    }
    virtualWorkers = value;
    return self();
  }

  /** Is told of connections and requests. Default: nobody. */
  public T connectionListener(ConnectionListener value) {
    listener = notNull("connectionListener", value);
    return self();
  }

  /**
   * Whether calls, exceptions, failures and time are counted for each method; see {@link
   * TDisruptorServer#methodMetrics}. Costs a look at the first bytes of each reply and two
   * additions to striped counters, together some 15 ns of CPU for a request, and a few hundred
   * bytes for each name, of which there are 1,024 at most whatever clients send. Default false: it
   * costs nothing then.
   */
  public T methodMetrics(boolean value) {
    methodMetrics = value;
    return self();
  }

  /** TLS with that context's keys. Default: no TLS. */
  public T tls(SSLContext value) {
    sslContext = notNull("tls", value);
    return self();
  }

  /** Whether TLS clients must show a certificate that the context trusts. Default false. */
  public T tlsClientAuthentication(boolean value) {
    clientAuthentication = value;
    return self();
  }

  /** TLS versions and cipher suites that are allowed; null for those that the JVM finds good. */
  public T tlsAllowed(String[] protocols, String[] suites) {
    tlsProtocols = protocols == null ? null : protocols.clone();
    cipherSuites = suites == null ? null : suites.clone();
    return self();
  }

  private static long nanos(ServerOption option, TimeUnit unit) {
    return unit.toNanos(option.otherwise());
  }

  private static <T> T notNull(String option, T value) {
    if (value == null) {
      throw new IllegalArgumentException(option + " is null");
    }
    return value;
  }
}
