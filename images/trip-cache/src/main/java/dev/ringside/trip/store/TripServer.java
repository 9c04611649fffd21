package dev.ringside.trip.store;

import dev.ringside.contract.Acceptor;
import dev.ringside.store.HostedServer;
import dev.ringside.store.Sync;
import dev.ringside.trip.cache.Cache;
import dev.ringside.trip.cache.CacheOptions;
import dev.ringside.trip.cache.Caches;
import dev.ringside.trip.stream.Acknowledgement;
import dev.ringside.trip.stream.Feed;
import dev.ringside.trip.stream.Point;
import dev.ringside.trip.stream.StreamSocket;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * One cache behind a port: a thread accepts, one for each client reads its points, a fork-join pool
 * takes them into the cache.
 */
final class TripServer implements AutoCloseable, Lanes.Work {
  private static final int BACKLOG = 1024;
  private static final int GREETING_MILLIS = 10_000;

  private final HostedServer hosted;
  private final ServerOptions options;
  private final Consumer<String> say;
  private final Cache cache;
  private final long openedMillis;
  private final boolean wasEmpty;
  private final TripBuilder builder;
  private final Lanes lanes;
  private final Acceptor acceptor;
  private final Acknowledger acknowledger;
  private final SyncTicker ticker;
  private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final AtomicLong arrived = new AtomicLong();
  private volatile TripFeed feed;
  private volatile boolean closed;

  /** How a cache is opened. */
  interface Opening {
    /** The cache of a type, with what it held. */
    Cache open(String type, CacheOptions options) throws IOException;
  }

  /**
   * Finds what the cache held, binds the port and serves.
   *
   * @throws IOException if the port cannot be had, or the folder
   */
  TripServer(HostedServer hosted, String address, ServerOptions options, Consumer<String> say)
      throws IOException {
    this(
        hosted,
        new ServerSocket(hosted.port(), BACKLOG, InetAddress.getByName(address)),
        options,
        say,
        Caches::open);
  }

  /** The same with another cache, and clients of another port, which this closes. */
  TripServer(
      HostedServer hosted,
      ServerSocket listener,
      ServerOptions options,
      Consumer<String> say,
      Opening opening)
      throws IOException {
    this.hosted = hosted;
    this.options = options;
    this.say = say;
    long began = System.nanoTime();
    try {
      cache = opening.open(hosted.type(), options.cache());
    } catch (IOException | RuntimeException e) {
      listener.close();
      throw e;
    }
    openedMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
    long found = cache.sizes().entries();
    wasEmpty = found == 0;
    say.accept(
        String.format("%s: %d trips or so, found in %d ms", hosted.name(), found, openedMillis));
    builder = new TripBuilder(cache);
    lanes = new Lanes(options.workers(), this);
    Sync sync = options.cache().sync();
    acknowledger =
        sync == Sync.ALWAYS
            ? new SyncedAcknowledger(hosted.name(), cache, this::fail)
            : Acknowledger.DIRECT;
    ticker =
        sync == Sync.INTERVAL
            ? new SyncTicker(hosted.name(), cache, options.syncMillis(), this::fail)
            : null;
    acceptor = new Acceptor(hosted.name() + "-accept", listener, this::take, say);
  }

  private void take(Socket socket) {
    Thread thread = new Thread(() -> serve(socket), hosted.name() + "-stream");
    thread.setDaemon(true);
    thread.start();
  }

  private void serve(Socket socket) {
    try (StreamSocket stream = StreamSocket.accept(socket, GREETING_MILLIS)) {
      if (stream.isFed()) {
        follow(stream);
        return;
      }
      Connection connection =
          new Connection(stream, this, fault -> say.accept(hosted.name() + " " + fault));
      connections.add(connection);
      try {
        if (failure() != null) {
          stream.acknowledge(new Acknowledgement(0, 0, List.of(), said(failure())));
        } else if (!closed) {
          connection.serve();
        }
      } finally {
        connections.remove(connection);
      }
    } catch (EOFException | SocketException | InterruptedException | RejectedExecutionException e) {
      // the client has gone, or this server goes
    } catch (IOException e) {
      say.accept(hosted.name() + " closed a connection: " + e.getMessage());
    }
  }

  /** A client sends its points by way of the topic, and waits here to be told of them. */
  private void follow(StreamSocket stream) throws IOException {
    if (feed == null) {
      stream.tell(Feed.none("no Kafka was named to it; its chart does so where kafka.enabled is"));
    } else if (failure() != null) {
      stream.tell(Feed.none(said(failure())));
    } else if (!closed) {
      feed.follow(stream);
    }
  }

  /**
   * Takes points from a topic as well. Once, before anybody is told that this server is ready.
   *
   * @param brokers Kafka's; the topic has the server's name
   * @throws IOException if the topic is not there
   */
  void feedFrom(String brokers) throws IOException {
    feed = TripFeed.open(brokers, hosted.name(), this::received, this::failure, this::fail, say);
  }

  /** Where it takes points from beside its port; null if there is no such place. */
  TripFeed feed() {
    return feed;
  }

  /**
   * Points that came so far, to the server or to its topic: those that wait in the topic are not in
   * the cache, either. Never less than it was.
   */
  long arrived() {
    long taken = lanes.taken();
    long now = taken + (feed == null ? 0 : feed.unread());
    return arrived.accumulateAndGet(now, Math::max);
  }

  /** A point came. */
  void received(PendingPacket packet, Point point) {
    lanes.add(packet, point);
  }

  @Override
  public boolean take(PendingPacket packet, Point point) {
    if (failure() != null) {
      return false; // its client has been told
    }
    try {
      return packet.took(builder.take(point));
    } catch (Throwable e) { // its lane would stand still behind an Error, and nobody would know
      fail(e);
      return false;
    }
  }

  @Override
  public void complete(PendingPacket packet) {
    try {
      acknowledger.complete(packet);
    } catch (Throwable e) {
      fail(e);
    }
  }

  private void fail(Throwable fault) {
    if (failure.compareAndSet(null, fault)) {
      say.accept(hosted.name() + " can do no more: " + fault);
      connections.forEach(connection -> connection.fail(said(fault)));
      if (feed != null) {
        feed.fail(said(fault));
      }
    }
  }

  private static String said(Throwable fault) {
    return fault.getMessage() == null ? fault.toString() : fault.getMessage();
  }

  HostedServer hosted() {
    return hosted;
  }

  ServerOptions options() {
    return options;
  }

  Cache cache() {
    return cache;
  }

  TripBuilder builder() {
    return builder;
  }

  Lanes lanes() {
    return lanes;
  }

  /** How long it took to load the cache, its library too, and to find what it held. */
  long openedMillis() {
    return openedMillis;
  }

  /** Whether the cache held nothing when it was opened, so that all in it is the builder's. */
  boolean wasEmpty() {
    return wasEmpty;
  }

  /** Clients that are there. */
  long connections() {
    return connections.size() + (feed == null ? 0 : feed.followers());
  }

  /** Why it can do no more; null if it can. */
  Throwable failure() {
    return failure.get();
  }

  /**
   * Ends it: reads no more, takes what was read into the cache, and closes that.
   *
   * @throws IOException if the cache cannot be closed; what was acknowledged is safe even so
   */
  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    acceptor.close();
    connections.forEach(Connection::close);
    if (feed != null) {
      feed.close();
    }
    boolean idle = lanes.close();
    acknowledger.close();
    if (ticker != null) {
      ticker.close();
    }
    // A native library that is closed under a thread that uses it takes the process with it.
    if (idle) {
      cache.close();
    }
  }
}
