package dev.ringside.cassandra;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.concurrent.NamedThreadFactory;
import org.apache.thrift.server.TServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All servers of the node as the single server that Cassandra supports. {@link #serve()} returns
 * when all have ended after {@link #stop()}, at most {@value #STOP_SECONDS} s later. If a server
 * ends without a stop, all others are stopped too, because measurements of a node that answers only
 * on some ports would be wrong.
 */
final class HostedServers extends TServer {
  static final long STOP_SECONDS = 10;

  private static final Logger LOG = LoggerFactory.getLogger(HostedServers.class);

  /** libthrift needs arguments even for a server without a transport. */
  private static final class NoArgs extends AbstractServerArgs<NoArgs> {
    NoArgs() {
      super(null);
    }
  }

  private final List<HostedServer> servers;
  private final List<Runnable> closers;
  private final CountDownLatch ended;
  private final CountDownLatch stopRequested = new CountDownLatch(1);
  private volatile String failure;
  private boolean started;

  /**
   * Creates the object; it does not serve yet.
   *
   * @param closers close the ports that do not belong to servers
   */
  HostedServers(List<HostedServer> servers, List<Runnable> closers) {
    super(new NoArgs());
    this.servers = servers;
    this.closers = closers;
    this.ended = new CountDownLatch(servers.size());
  }

  @Override
  public void serve() {
    synchronized (this) {
      if (stopRequested.getCount() == 0) {
        return;
      }
      started = true;
    }
    setServing(true);
    for (HostedServer hosted : servers) {
      NamedThreadFactory.createThread(() -> run(hosted), "Ringside-" + hosted.spec().name(), true)
          .start();
    }
    try {
      stopRequested.await();
      if (!ended.await(STOP_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("ringside: not all servers ended within {} s, leaving them behind", STOP_SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      cleanUp();
      setServing(false);
    }
    if (failure != null) {
      throw new IllegalStateException(failure);
    }
  }

  private void run(HostedServer hosted) {
    Throwable cause = null;
    try {
      hosted.server().serve();
    } catch (Throwable e) {
      cause = e;
    }
    if (stopRequested.getCount() > 0) {
      failure = "ringside: server " + hosted.spec() + " ended without having been stopped";
      LOG.error(failure, cause);
      stop();
    } else if (cause != null) {
      LOG.warn("ringside: server {} threw while it was stopping", hosted.spec(), cause);
    }
    ended.countDown();
  }

  @Override
  public void stop() {
    synchronized (this) {
      if (stopRequested.getCount() == 0) {
        return;
      }
      stopRequested.countDown();
      if (!started) {
        cleanUp();
        return;
      }
    }
    for (HostedServer hosted : servers) {
      try {
        hosted.server().stop();
      } catch (RuntimeException e) {
        LOG.warn("ringside: stopping server {} failed", hosted.spec(), e);
      }
    }
  }

  private void cleanUp() {
    servers.forEach(HostedServer::cleanUp);
    closers.forEach(Runnable::run);
  }
}
