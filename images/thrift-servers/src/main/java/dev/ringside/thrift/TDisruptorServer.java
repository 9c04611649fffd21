package dev.ringside.thrift;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.apache.thrift.server.TServer;
import org.apache.thrift.transport.TNonblockingServerTransport;
import org.apache.thrift.transport.TTransportException;
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
 * <p>Handlers run on threads of {@link Args#threadFactory}, and on virtual ones if {@link
 * Args#virtualWorkers} says so. What a handler is given never shares memory with the server.
 */
public final class TDisruptorServer extends TServer {
  private static final Logger LOG = LoggerFactory.getLogger(TDisruptorServer.class);

  /** The server's arguments. */
  public static final class Args extends DisruptorArgs<Args> {
    /** For a server on that transport, framed and with binary protocol unless told otherwise. */
    public Args(TNonblockingServerTransport transport) {
      super(transport);
    }
  }

  private final Options options;
  private final Metrics metrics = new Metrics();
  private final Factories factories;
  private final Admission admission;
  private final MethodTable methods;
  private final MethodHabits hooks;
  private final WireFactory wires;
  private final ReadBudget budget;
  private final UnsentBytes unsentBytes;
  private final HandOff<Connection> ring;
  private final WorkerPool workers;
  private final ServerMBean mbean;
  private final Drain drain;

  private final EventLoops loops = new EventLoops();
  private final Shortage ringShortage = new Shortage(() -> loops.forEach(EventLoop::wakeUp));
  private final Shortage memoryShortage = new Shortage(() -> loops.forEach(EventLoop::wakeUp));
  private final AtomicInteger loopsLeft = new AtomicInteger();
  private final CountDownLatch stopRequested = new CountDownLatch(1);
  private final CountDownLatch drained = new CountDownLatch(1);

  private volatile Acceptor acceptor;
  private Thread acceptorThread;
  private volatile Watchdog watchdog;

  /** Whether threads may be waiting that stop() has to wake. */
  private volatile boolean started;

  /** Ours, because libthrift 0.9.2's is not for other threads to see. */
  private volatile boolean serving;

  private volatile boolean stopping;
  private volatile boolean ended;
  private volatile boolean workersMayEnd;
  private volatile long stopDeadline;
  private volatile IllegalStateException failure;

  /** A server that is not serving yet. */
  public TDisruptorServer(Args args) {
    super(args);
    if (args.threadFactory == null) {
      args.threadFactory = new DaemonThreads(args.name);
    }
    if (Libthrift.isPlainFraming(inputTransportFactory_)) {
      args.maxFrameBytes =
          Math.min(args.maxFrameBytes, Libthrift.frameLimit(inputTransportFactory_));
    }
    refuseTlsOnUnixSocket(args);
    refuseVirtualThreads(args);
    options = new Options(args);
    inputProtocolFactory_ = Libthrift.limited(inputProtocolFactory_, options.maxFrameBytes);
    drain = new Drain(this);
    factories =
        new Factories(
            inputTransportFactory_,
            outputTransportFactory_,
            inputProtocolFactory_,
            outputProtocolFactory_,
            processorFactory_);
    admission = new Admission(options.maxConnections, metrics, drain::signal);
    methods = new MethodTable(options.inlineLimitNanos, options.methodMetrics);
    hooks = MethodHabits.ofHooks(options.inlineLimitNanos);
    budget = new ReadBudget(options.maxReadBufferBytes);
    wires = new WireFactory(options, budget);
    unsentBytes = new UnsentBytes(options.maxReadBufferBytes);
    ring = args.handOff.apply(this);
    workers = new WorkerPool(this, ring);
    mbean = new ServerMBean(this);
  }

  private static void refuseVirtualThreads(Args args) {
    if (VirtualThreads.areMadeBy(args.threadFactory)) {
      throw new IllegalArgumentException(
          "server "
              + args.name
              + ": its threadFactory makes virtual threads, of which nobody can tell the CPU time and"
              + " the state in the kernel, from which this server learns what its methods do: give"
              + " it one that makes platform threads, and set virtualWorkers");
    }
  }

  private static void refuseTlsOnUnixSocket(Args args) {
    if (args.sslContext != null && args.transport instanceof UnixServerSocket) {
      throw new IllegalArgumentException(
          "server "
              + args.name
              + ": TLS on "
              + args.transport
              + " would protect what never leaves this machine, from nobody whom the file's"
              + " permissions do not keep out: leave out Args.tls, or listen on TCP");
    }
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
    } catch (RuntimeException | Error e) {
      stop();
      abandon();
      throw e;
    } finally {
      setServing(false);
      ended = true;
      drain.signal();
      mbean.unregister();
      serverTransport_.close();
    }
    if (failure != null) {
      throw failure;
    }
  }

  private void start() {
    if (stopping || drain.hasBegun()) {
      drained.countDown();
      return;
    }
    try {
      serverTransport_.listen();
      loops.open(this, options.selectors);
      acceptor = new Acceptor(this, (TNonblockingServerTransport) serverTransport_);
    } catch (TTransportException | IOException e) {
      throw new IllegalStateException(
          "server " + options.name + " cannot listen: " + e.getMessage(), e);
    }
    loopsLeft.set(loops.size());
    watchdog = new Watchdog(this, loops);
    mbean.register();
    if (eventHandler_ != null) {
      eventHandler_.preServe();
    }
    started = true;
    loops.forEach(workers::lead);
    daemon(watchdog, "watchdog");
    acceptorThread = daemon(acceptor, "acceptor");
    setServing(true);
    if (stopping) {
      wakeAll();
    }
  }

  /** After a start that failed half way: what no thread has taken over is given back here. */
  private void abandon() {
    try {
      if (!started) {
        loops.abandon();
      }
      if (acceptor != null && acceptorThread == null) {
        acceptor.close();
      }
    } catch (IOException e) {
      LOG.debug("giving back the selectors of server {} failed", options.name, e);
    }
  }

  @Override
  public boolean isServing() {
    return serving;
  }

  @Override
  protected void setServing(boolean value) {
    serving = value;
    super.setServing(value);
  }

  /** Starts a thread that does not serve requests. */
  Thread daemon(Runnable task, String role) {
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
    wakeAll();
    drain.signal();
    stopRequested.countDown();
  }

  /**
   * Prepares the server for {@link #stop()} without a loss: from now on it is not {@link #isReady}
   * and refuses new connections; what is under way, and what comes on the connections that there
   * are, is answered; a connection is closed when it has been silent for 100 ms with nothing under
   * way, and at the latest when the time is up. Waits until then, and for the hooks that are told
   * of the end, before the time is up; the server goes on being drained if the caller is
   * interrupted.
   *
   * <p>A client sees the end of its connection as it does when a server closes an idle one. Thrift
   * has no way to announce it: a request that is sent at that very moment is not run, and not
   * answered either.
   *
   * <p>To be called by any thread that runs no request, as often as wanted: of several calls the
   * earliest end counts. A server drained before {@link #serve()} never listens. It is not stopped:
   * {@link #serve()} goes on until {@link #stop()}, which also ends a drain, by its own rules.
   * Costs one thread, and per event loop a pass over its connections every 10 ms; without a drain,
   * nothing but the reading of a flag.
   *
   * @param timeout how long connections may take, not negative
   * @return how many connections were cut off with a request that was not answered, or with a part
   *     of one; 0 if all was drained
   */
  public int drain(long timeout, TimeUnit unit) throws InterruptedException {
    if (timeout < 0) {
      throw new IllegalArgumentException(
          "a drain of server " + options.name + " takes no negative time, such as " + timeout);
    }
    drain.await(unit.toNanos(timeout));
    return (int) Math.min(Integer.MAX_VALUE, metrics.cutOff.sum());
  }

  /**
   * Whether clients should be sent here: it accepts connections, and has been told neither to drain
   * nor to stop. For readiness probes, from any thread.
   */
  public boolean isReady() {
    Acceptor current = acceptor;
    return serving && !stopping && !drain.hasBegun() && current != null && !current.hasEnded();
  }

  /**
   * Has connections that are accepted from now on made with another context, such as one with a key
   * and certificates in place of those that run out. Those that there are keep theirs. From any
   * thread.
   *
   * @throws IllegalStateException if the server was made without TLS
   */
  public void renewTls(SSLContext context) {
    if (options.sslContext == null) {
      throw new IllegalStateException(
          "server " + options.name + " has no TLS to renew: make it with Args.tls");
    }
    if (context == null) {
      throw new IllegalArgumentException("the TLS context of server " + options.name + " is null");
    }
    wires.use(context);
  }

  /**
   * What has been counted of each method that was called, ordered by name; nothing unless {@link
   * Args#methodMetrics} is on. Names come from clients, so there are 1,024 at most: where those of
   * many methods compete, one that is hardly called is counted as {@link MethodMetrics#OTHERS} from
   * then on, as is every call without a name that is known here. From any thread; costs a pass over
   * all names.
   */
  public List<MethodMetrics> methodMetrics() {
    return new ArrayList<>(methods.metrics());
  }

  /** Has everybody look again whether the server is to be drained or stopped. */
  void wakeAll() {
    Acceptor current = acceptor;
    if (current != null) {
      current.wakeUp();
    }
    if (started) {
      loops.forEach(EventLoop::wakeUp);
      workers.roster().wakeAll();
    }
  }

  Drain drain() {
    return drain;
  }

  /** Whether no connection comes any more. */
  boolean hasStoppedAccepting() {
    Acceptor current = acceptor;
    return current == null || current.hasEnded() || ended;
  }

  /** Whether it has no thread that would close a connection. */
  boolean hasEnded() {
    return ended || !started && acceptor == null;
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

  /** The habits of the hooks that are told of a connection's beginning and end. */
  MethodHabits hooks() {
    return hooks;
  }

  UnsentBytes unsentBytes() {
    return unsentBytes;
  }

  ReadBudget budget() {
    return budget;
  }

  HandOff<Connection> ring() {
    return ring;
  }

  WorkerPool workers() {
    return workers;
  }

  Watchdog watchdog() {
    return watchdog;
  }

  Factories factories() {
    return factories;
  }

  WireFactory wires() {
    return wires;
  }

  Admission admission() {
    return admission;
  }

  int connections() {
    return admission.connections();
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

  void loopEnded() {
    if (loopsLeft.decrementAndGet() == 0) {
      workersMayEnd = true;
      ring.end();
      workers.roster().end();
      watchdog.end();
    }
  }

  boolean workersMayEnd() {
    return workersMayEnd;
  }

  void workerEnded() {
    if (workersMayEnd && workers.threads() == 0) {
      drained.countDown();
    }
  }
}
