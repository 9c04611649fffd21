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
 * Serves one cache on a port. One thread accepts clients, one per client reads points, and a
 * fork-join pool stores them in the cache.
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

  /** Opens a cache. Tests replace it. */
  interface Opening {
    /** Returns the cache of a type with its existing values. */
    Cache open(String type, CacheOptions options) throws IOException;
  }

  /**
   * Opens the cache, binds the port and starts to serve.
   *
   * @throws IOException if the port cannot be bound, or the cache cannot be opened
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

  /** Serves another cache on a given listener, and closes both at the end. */
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
      // the client has disconnected, or this server is closing
    } catch (IOException e) {
      say.accept(hosted.name() + " closed a connection: " + e.getMessage());
    }
  }

  /** Serves a client that sends its points through the topic and waits for acknowledgements. */
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
   * Reads points from a topic as well. Call this once, before the server is reported as ready.
   *
   * @param brokers addresses of Kafka; the topic has the server's name
   * @throws IOException if the topic does not exist
   */
  void feedFrom(String brokers) throws IOException {
    feed = TripFeed.open(brokers, hosted.name(), this::received, this::failure, this::fail, say);
  }

  /** Returns the feed from the server's topic, or null if it has none. */
  TripFeed feed() {
    return feed;
  }

  /**
   * Returns the number of points that arrived at the server or its topic. Points in the topic are
   * not in the cache, either. The result never decreases.
   */
  long arrived() {
    long taken = lanes.taken();
    long now = taken + (feed == null ? 0 : feed.unread());
    return arrived.accumulateAndGet(now, Math::max);
  }

  /** Accepts a point. */
  void received(PendingPacket packet, Point point) {
    lanes.add(packet, point);
  }

  @Override
  public boolean take(PendingPacket packet, Point point) {
    if (failure() != null) {
      return false; // the client has received the error
    }
    try {
      return packet.took(builder.take(point));
    } catch (Throwable e) { // an uncaught Error would stop the lane silently
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

  /** Returns the milliseconds to load the cache's library and open the cache with its values. */
  long openedMillis() {
    return openedMillis;
  }

  /** Reports whether the cache was empty when opened, so that the builder wrote all its values. */
  boolean wasEmpty() {
    return wasEmpty;
  }

  /** Returns the number of connected clients. */
  long connections() {
    return connections.size() + (feed == null ? 0 : feed.followers());
  }

  /** Returns the failure after which the server stores nothing more, or null. */
  Throwable failure() {
    return failure.get();
  }

  /**
   * Stops reading, stores points that were read, and closes the cache.
   *
   * @throws IOException if the cache cannot be closed; acknowledged points are safe
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
    // Closing a native library while a thread uses it crashes the process.
    if (idle) {
      cache.close();
    }
  }
}
