package dev.ringside.thrift;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.apache.thrift.TProcessorFactory;
import org.apache.thrift.protocol.TProtocolFactory;
import org.apache.thrift.server.TServer;
import org.apache.thrift.transport.TNonblockingServerTransport;
import org.apache.thrift.transport.TTransportException;
import org.apache.thrift.transport.TTransportFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A half-sync/half-async Thrift server on the LMAX Disruptor that adapts to its methods.
 *
 * <p>Few threads watch all connections. A request of a method that returns at once runs on the
 * thread that read it; a request of a method that blocks goes through a ring buffer to a worker,
 * which also answers it. Which is which the server learns by itself. A request that blocks
 * unexpectedly costs its thread the leadership of the event loop: another one takes over, so that
 * no connection waits for another's request.
 *
 * <p>Clients must use framed transport; any protocol will do. Requests of one connection run one
 * after the other and are answered in order; a client may send many before it reads the first
 * reply.
 *
 * <p>Handlers run on threads of {@link Args#threadFactory}. What a handler is given never shares
 * memory with the server.
 */
public final class TDisruptorServer extends TServer {
  private static final Logger LOG = LoggerFactory.getLogger(TDisruptorServer.class);

  /**
   * Why generated AsyncProcessors are refused: they answer through a frame buffer that only
   * libthrift's own selector servers can make.
   */
  static final String NO_ASYNC =
      "an asynchronous processor is served by libthrift's nonblocking servers only: give this server"
          + " the service's Processor";

  /** The server's arguments, in libthrift's manner. Every setter refuses what makes no sense. */
  public static final class Args extends AbstractServerArgs<Args> {
    final TNonblockingServerTransport transport;
    String name = "thrift";
    int selectors = Math.max(1, Runtime.getRuntime().availableProcessors());
    int minWorkers;
    int maxWorkers = 64;
    int ringSize = 1024;
    WaitMode waitMode = WaitMode.BLOCKING;
    int maxFrameBytes = 16_384_000;
    long maxReadBufferBytes = 256L << 20;
    int maxConnections = Integer.MAX_VALUE;
    long idleTimeoutNanos;
    long stallTimeoutNanos = TimeUnit.SECONDS.toNanos(30);
    long stopTimeoutNanos = TimeUnit.SECONDS.toNanos(5);
    long inlineLimitNanos = TimeUnit.MICROSECONDS.toNanos(250);
    long blockedAfterNanos = TimeUnit.MILLISECONDS.toNanos(1);
    long lingerMillis = 100;
    ThreadFactory threadFactory;
    ConnectionListener listener = ConnectionListener.NONE;
    SSLContext sslContext;
    boolean clientAuthentication;
    String[] tlsProtocols;
    String[] cipherSuites;

    /** For a server on that transport, framed and with binary protocol unless told otherwise. */
    public Args(TNonblockingServerTransport transport) {
      super(transport);
      this.transport = transport;
      transportFactory(Libthrift.framedTransportFactory());
    }

    /** What threads and the MBean are named after. Default {@code thrift}. */
    public Args name(String value) {
      name = notNull("name", value);
      return this;
    }

    /**
     * Event loops, each led by one thread, at most: as many are in use as the load needs and idle
     * processors allow. More than there are cores is of no use. Default: as many as there are
     * cores.
     */
    public Args selectors(int value) {
      selectors = (int) atLeast("selectors", 1, value);
      return this;
    }

    /**
     * Threads that run requests of methods that block, at most. Started when needed, each with up
     * to 192 KB of buffers; ended after 30 s without work. Default 64.
     */
    public Args maxWorkers(int value) {
      maxWorkers = (int) atLeast("maxWorkers", 1, value);
      return this;
    }

    /** Workers that are kept though idle. Default 0. */
    public Args minWorkers(int value) {
      minWorkers = (int) atLeast("minWorkers", 0, value);
      return this;
    }

    /**
     * Requests that may wait for a worker, rounded up to a power of two. When the ring is full, the
     * server reads no more from the connections whose requests would have to go there. Default
     * 1024.
     */
    public Args ringSize(int value) {
      ringSize = (int) Math.min(1 << 30, atLeast("ringSize", 1, value));
      return this;
    }

    /** How workers without work wait. Default {@link WaitMode#BLOCKING}. */
    public Args waitMode(WaitMode value) {
      waitMode = notNull("waitMode", value);
      return this;
    }

    /**
     * The largest request; a client that announces a larger one is cut off. Default 16,384,000
     * bytes.
     */
    public Args maxFrameBytes(int value) {
      maxFrameBytes = (int) atLeast("maxFrameBytes", 1, value);
      return this;
    }

    /**
     * Memory for requests that are received and not executed yet, over all connections. When it is
     * used up, the server stops reading. Default 256 MB.
     */
    public Args maxReadBufferBytes(long value) {
      maxReadBufferBytes = atLeast("maxReadBufferBytes", 1, value);
      return this;
    }

    /**
     * Connections at a time; further ones are closed as soon as they are accepted. Default: no
     * limit.
     */
    public Args maxConnections(int value) {
      maxConnections = (int) atLeast("maxConnections", 1, value);
      return this;
    }

    /**
     * How long a connection may be silent before it is closed; 0 for ever, which is the default.
     */
    public Args idleTimeout(long value, TimeUnit unit) {
      idleTimeoutNanos = unit.toNanos(atLeast("idleTimeout", 0, value));
      return this;
    }

    /**
     * How long a client may leave a reply unread or a frame unfinished, with no byte moving, before
     * its connection is closed; 0 for ever. Default 30 s.
     */
    public Args stallTimeout(long value, TimeUnit unit) {
      stallTimeoutNanos = unit.toNanos(atLeast("stallTimeout", 0, value));
      return this;
    }

    /** How long after stop() requests may take to end. Default 5 s. */
    public Args stopTimeout(long value, TimeUnit unit) {
      stopTimeoutNanos = unit.toNanos(atLeast("stopTimeout", 0, value));
      return this;
    }

    /**
     * A method whose calls take longer than this on average is handed off; below, calls run where
     * they were read and delay their neighbours by this much at most. Default 250 µs. 0 hands off
     * every call.
     */
    public Args inlineLimit(long value, TimeUnit unit) {
      inlineLimitNanos = unit.toNanos(atLeast("inlineLimit", 0, value));
      return this;
    }

    /**
     * After how long a call that waits on the thread of an event loop costs it the loop. Halving it
     * doubles the looks of the watchdog, each some 5 µs of CPU while requests run inline. Default 1
     * ms.
     */
    public Args blockedAfter(long value, TimeUnit unit) {
      blockedAfterNanos = unit.toNanos(atLeast("blockedAfter", 1, value));
      return this;
    }

    /**
     * How long a worker waits for the next request of the connection whose blocking request it has
     * just answered, if nothing else needs it; 0 for not at all. It saves two wakeups per request
     * at the price of one thread for each connection that is active, up to the limit of workers.
     * Default 100 ms.
     */
    public Args linger(long value, TimeUnit unit) {
      lingerMillis = unit.toMillis(atLeast("linger", 0, value));
      return this;
    }

    /** Makes all threads that may run handlers. Default: daemon threads named after the server. */
    public Args threadFactory(ThreadFactory value) {
      threadFactory = notNull("threadFactory", value);
      return this;
    }

    /** Is told of connections and requests. Default: nobody. */
    public Args connectionListener(ConnectionListener value) {
      listener = notNull("connectionListener", value);
      return this;
    }

    /** TLS with that context's keys. Default: no TLS. */
    public Args tls(SSLContext value) {
      sslContext = notNull("tls", value);
      return this;
    }

    /** Whether TLS clients must show a certificate that the context trusts. Default false. */
    public Args tlsClientAuthentication(boolean value) {
      clientAuthentication = value;
      return this;
    }

    /** TLS versions and cipher suites that are allowed; null for those that the JVM finds good. */
    public Args tlsAllowed(String[] protocols, String[] suites) {
      tlsProtocols = protocols == null ? null : protocols.clone();
      cipherSuites = suites == null ? null : suites.clone();
      return this;
    }

    private static long atLeast(String option, long min, long value) {
      if (value < min) {
        throw new IllegalArgumentException(option + " is " + value + ": give at least " + min);
      }
      return value;
    }

    private static <T> T notNull(String option, T value) {
      if (value == null) {
        throw new IllegalArgumentException(option + " is null");
      }
      return value;
    }
  }

  private final Options options;
  private final Metrics metrics = new Metrics();
  private final MethodTable methods;
  private final ReadBudget budget;
  private final HandOffRing<Connection> ring;
  private final WorkerPool workers;
  private final ServerMBean mbean;
  private final boolean raw;

  private final EventLoops loops = new EventLoops();
  private final AtomicInteger connections = new AtomicInteger();
  private final Shortage ringShortage = new Shortage(() -> loops.forEach(EventLoop::wakeUp));
  private final Shortage memoryShortage = new Shortage(() -> loops.forEach(EventLoop::wakeUp));
  private final AtomicInteger loopsLeft = new AtomicInteger();
  private final CountDownLatch stopRequested = new CountDownLatch(1);
  private final CountDownLatch drained = new CountDownLatch(1);

  private volatile Acceptor acceptor;
  private Thread acceptorThread;
  private volatile Watchdog watchdog;
  private volatile boolean stopping;
  private volatile boolean workersMayEnd;
  private volatile long stopDeadline;
  private volatile IllegalStateException failure;

  /** A server that is not serving yet. */
  public TDisruptorServer(Args args) {
    super(args);
    if (args.threadFactory == null) {
      args.threadFactory = new DaemonThreads(args.name);
    }
    raw =
        !Libthrift.isPlainFraming(inputTransportFactory_)
            || !Libthrift.isPlainFraming(outputTransportFactory_);
    if (!raw) {
      args.maxFrameBytes =
          Math.min(args.maxFrameBytes, Libthrift.frameLimit(inputTransportFactory_));
    }
    // A factory of the user's own may need a transport to answer: it is asked for each connection.
    if (processorFactory_.getClass() == TProcessorFactory.class
        && Libthrift.isAsync(processorFactory_.getProcessor(null))) {
      throw new IllegalArgumentException(NO_ASYNC);
    }
    options = new Options(args);
    inputProtocolFactory_ = Libthrift.limited(inputProtocolFactory_, options.maxFrameBytes);
    methods = new MethodTable(options.inlineLimitNanos);
    budget = new ReadBudget(options.maxReadBufferBytes);
    ring = new HandOffRing<>(options.ringSize);
    workers = new WorkerPool(this, ring);
    mbean = new ServerMBean(this);
  }

  /**
   * Serves until {@link #stop()}, and then until the requests that are running have been answered,
   * at most for the stop timeout.
   *
   * @throws IllegalStateException if the server could not start or could not go on
   */
  @Override
  public void serve() {
    try {
      start();
      stopRequested.await();
      awaitDrained();
    } catch (InterruptedException e) {
      stop();
      Thread.currentThread().interrupt();
    } finally {
      setServing(false);
      mbean.unregister();
      serverTransport_.close();
    }
    if (failure != null) {
      throw failure;
    }
  }

  private void start() {
    if (stopping) {
      drained.countDown();
      return;
    }
    try {
      serverTransport_.listen();
      loops.open(this, options.selectors);
      acceptor = new Acceptor(this, (TNonblockingServerTransport) serverTransport_);
    } catch (TTransportException | IOException e) {
      throw new IllegalStateException("server " + options.name + " cannot listen", e);
    }
    loopsLeft.set(loops.size());
    watchdog = new Watchdog(this, loops);
    mbean.register();
    if (eventHandler_ != null) {
      eventHandler_.preServe();
    }
    loops.forEach(workers::lead);
    daemon(watchdog, "watchdog");
    acceptorThread = daemon(acceptor, "acceptor");
    setServing(true);
    if (stopping) {
      wakeForStop();
    }
  }

  private Thread daemon(Runnable task, String role) {
    Thread thread = new Thread(task, options.name + "-" + role);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private void awaitDrained() throws InterruptedException {
    if (acceptorThread != null) {
      // With it ends the listening socket: who connects from now on is refused.
      acceptorThread.join();
    }
    // The loops end at the deadline by themselves; the margin is for their last turn.
    long margin = TimeUnit.SECONDS.toNanos(1);
    if (!drained.await(stopDeadline - System.nanoTime() + margin, TimeUnit.NANOSECONDS)) {
      LOG.warn(
          "server {} leaves requests behind that did not end within {} ms",
          options.name,
          TimeUnit.NANOSECONDS.toMillis(options.stopTimeoutNanos));
    }
  }

  /**
   * Asks the server to stop: no new connection, no new request. Returns at once; see {@link
   * #serve()}.
   */
  @Override
  public void stop() {
    synchronized (this) {
      if (stopping) {
        return;
      }
      stopDeadline = System.nanoTime() + options.stopTimeoutNanos;
      stopping = true;
    }
    wakeForStop();
    stopRequested.countDown();
  }

  private void wakeForStop() {
    Acceptor current = acceptor;
    if (current != null) {
      current.wakeUp();
    }
    if (isServing()) {
      loops.forEach(EventLoop::wakeUp);
      workers.roster().wakeAll();
    }
  }

  /** Ends the server because a part of it that is needed has failed. */
  void failed(String what, Throwable cause) {
    failure = new IllegalStateException("server " + options.name + ": " + what, cause);
    LOG.error("server {} stops: {}", options.name, what, cause);
    stop();
  }

  Options options() {
    return options;
  }

  Metrics metrics() {
    return metrics;
  }

  MethodTable methods() {
    return methods;
  }

  ReadBudget budget() {
    return budget;
  }

  HandOffRing<Connection> ring() {
    return ring;
  }

  WorkerPool workers() {
    return workers;
  }

  Watchdog watchdog() {
    return watchdog;
  }

  /**
   * Whether a user's transport factory does more than framing, and so must see the frames whole.
   */
  boolean raw() {
    return raw;
  }

  TTransportFactory inputTransportFactory() {
    return inputTransportFactory_;
  }

  TTransportFactory outputTransportFactory() {
    return outputTransportFactory_;
  }

  TProtocolFactory inputProtocolFactory() {
    return inputProtocolFactory_;
  }

  TProtocolFactory outputProtocolFactory() {
    return outputProtocolFactory_;
  }

  TProcessorFactory processorFactory() {
    return processorFactory_;
  }

  Wire wire(SocketChannel channel) {
    if (options.sslContext == null) {
      return new PlainWire(channel);
    }
    SSLEngine engine = options.sslContext.createSSLEngine();
    engine.setUseClientMode(false);
    engine.setNeedClientAuth(options.clientAuthentication);
    if (options.tlsProtocols != null) {
      engine.setEnabledProtocols(options.tlsProtocols);
    }
    if (options.cipherSuites != null) {
      engine.setEnabledCipherSuites(options.cipherSuites);
    }
    return new TlsWire(channel, engine);
  }

  /** Counts a new connection; false if there are too many. */
  boolean connectionBegins() {
    if (connections.incrementAndGet() > options.maxConnections) {
      connections.decrementAndGet();
      metrics.refused.increment();
      return false;
    }
    return true;
  }

  void connectionEnded() {
    connections.decrementAndGet();
  }

  int connections() {
    return connections.get();
  }

  EventLoops loops() {
    return loops;
  }

  boolean isStopping() {
    return stopping;
  }

  boolean stopDeadlinePassed() {
    return stopping && System.nanoTime() - stopDeadline >= 0;
  }

  /** Room in the ring, for want of which loops hold connections back. */
  Shortage ringShortage() {
    return ringShortage;
  }

  /** Memory for requests that are not whole, for want of which loops hold connections back. */
  Shortage memoryShortage() {
    return memoryShortage;
  }

  /** An entry was taken from the ring. */
  void ringHasRoom() {
    ringShortage.eased();
  }

  /** Closes the connections that wait in the ring: the time to run their requests is over. */
  void closeHandedOff(Io io) {
    for (Connection connection = ring.poll(); connection != null; connection = ring.poll()) {
      connection.closeGracefully(io);
    }
  }

  void loopEnded() {
    if (loopsLeft.decrementAndGet() == 0) {
      workersMayEnd = true;
      workers.roster().end();
      watchdog.end();
    }
  }

  boolean workersMayEnd() {
    return workersMayEnd;
  }

  void workerEnded() {
    if (workersMayEnd && workers.roster().threads() == 0) {
      drained.countDown();
    }
  }
}
