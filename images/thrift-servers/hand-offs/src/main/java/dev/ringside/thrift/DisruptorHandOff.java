package dev.ringside.thrift;

import com.lmax.disruptor.AlertException;
import com.lmax.disruptor.EventReleaseAware;
import com.lmax.disruptor.EventReleaser;
import com.lmax.disruptor.IgnoreExceptionHandler;
import com.lmax.disruptor.InsufficientCapacityException;
import com.lmax.disruptor.LifecycleAware;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.Sequence;
import com.lmax.disruptor.SequenceBarrier;
import com.lmax.disruptor.TimeoutException;
import com.lmax.disruptor.WaitStrategy;
import com.lmax.disruptor.WorkHandler;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The Disruptor as its authors have one event handled by one of many threads: their worker pool,
 * with their wait strategies and threads of its own, as many as the server may have workers and
 * {@value #MOST_THREADS} at most. All of them start with the first entry. The server's own threads
 * only lead its event loops, and none lingers.
 *
 * <p>Their batching event processors cannot take its place: each sees every event, so requests
 * would be shared out by number, and one would wait behind another that blocks.
 */
final class DisruptorHandOff extends HandOff<Connection> {
  private static final int MOST_THREADS = 64;
  private static final long START_SECONDS = 5;

  /** An event; empty once it was taken. */
  private static final class Slot extends AtomicReference<Connection> {
    private static final long serialVersionUID = 1;
  }

  private final TDisruptorServer server;
  private final RingBuffer<Slot> ring;
  private final com.lmax.disruptor.WorkerPool<Slot> pool;
  private final Sequence claimed;
  private final CountDownLatch running;
  private final AtomicInteger serving = new AtomicInteger();
  private volatile boolean started;
  private boolean ended;

  /** In place of that server's ring, waiting as the server's option says. */
  DisruptorHandOff(TDisruptorServer server) {
    this.server = server;
    Options options = server.options();
    ring =
        RingBuffer.createMultiProducer(
            Slot::new,
            options.ringSize,
            new Telling(WaitStrategies.of(options.waitMode), server.ringShortage()));
    Handler[] handlers = new Handler[Math.min(options.maxWorkers, MOST_THREADS)];
    for (int i = 0; i < handlers.length; i++) {
      handlers[i] = new Handler();
    }
    running = new CountDownLatch(handlers.length);
    pool =
        new com.lmax.disruptor.WorkerPool<>(
            ring, ring.newBarrier(), new IgnoreExceptionHandler(), handlers);
    Sequence[] sequences = pool.getWorkerSequences();
    claimed = sequences[sequences.length - 1];
    ring.addGatingSequences(claimedFirst(sequences));
  }

  /**
   * A publisher looks at them one after the other. A thread that has released its event holds back
   * nobody; it shows its next one as its own before it counts that as claimed. Who looks at the
   * thread first and at the count last, as in the pool's own order, may miss both, and overwrite an
   * event that nobody has taken.
   */
  private static Sequence[] claimedFirst(Sequence[] sequences) {
    Sequence[] ordered = new Sequence[sequences.length];
    ordered[0] = sequences[sequences.length - 1];
    System.arraycopy(sequences, 0, ordered, 1, sequences.length - 1);
    return ordered;
  }

  /**
   * A thread that claims its next event takes the room of others for a moment, and gives it back
   * before it waits. A loop that has looked meanwhile must look again.
   */
  private static final class Telling implements WaitStrategy {
    private final WaitStrategy wait;
    private final Shortage room;

    Telling(WaitStrategy wait, Shortage room) {
      this.wait = wait;
      this.room = room;
    }

    @Override
    public long waitFor(
        long sequence, Sequence cursor, Sequence dependentSequence, SequenceBarrier barrier)
        throws AlertException, InterruptedException, TimeoutException {
      room.eased();
      return wait.waitFor(sequence, cursor, dependentSequence, barrier);
    }

    @Override
    public void signalAllWhenBlocking() {
      wait.signalAllWhenBlocking();
    }
  }

  /** One of the pool's threads. */
  private final class Handler implements WorkHandler<Slot>, EventReleaseAware, LifecycleAware {
    private Worker worker;
    private EventReleaser releaser;

    @Override
    public void setEventReleaser(EventReleaser value) {
      releaser = value;
    }

    @Override
    public void onStart() {
      worker = new Worker(server, DisruptorHandOff.this);
      running.countDown();
    }

    @Override
    public void onEvent(Slot slot) {
      // Before it is taken: a stop that finds nothing to be taken waits for who serves.
      serving.getAndIncrement();
      try {
        serve(slot);
      } finally {
        serving.getAndDecrement();
        server.workerEnded();
      }
    }

    private void serve(Slot slot) {
      Connection connection = slot.getAndSet(null);
      // Before the request runs and loops are told of the room, not when it has ended.
      releaser.release();
      // What it has set is to be seen before the look whether loops wait for it.
      VarHandle.fullFence();
      if (connection != null) {
        worker.serve(connection);
      }
    }

    @Override
    public void onShutdown() {
      // the worker has nothing that it must give back: it has not lingered
    }
  }

  @Override
  boolean offer(Connection connection) {
    if (!started) {
      start();
    }
    long sequence;
    try {
      sequence = ring.tryNext();
    } catch (InsufficientCapacityException e) {
      return false;
    }
    ring.get(sequence).lazySet(connection);
    ring.publish(sequence);
    return true;
  }

  private synchronized void start() {
    if (!started && !ended) {
      pool.start(task -> server.options().threadFactory.newThread(task).start());
      started = true;
    }
  }

  /** A processor that is halted before it runs would never hear of it. */
  @Override
  synchronized void end() {
    ended = true;
    if (!started) {
      return;
    }
    try {
      running.await(START_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    pool.halt();
  }

  @Override
  boolean isPolled() {
    return false;
  }

  @Override
  int threads() {
    return serving.get();
  }

  @Override
  Connection poll() {
    return null;
  }

  @Override
  Connection takeBack() {
    for (int i = 0; i < ring.getBufferSize(); i++) {
      Connection connection = ring.get(i).getAndSet(null);
      if (connection != null) {
        return connection;
      }
    }
    return null;
  }

  @Override
  boolean isEmpty() {
    return occupancy() == 0;
  }

  @Override
  boolean hasRoom() {
    return ring.hasAvailableCapacity(1);
  }

  /** Threads without work have claimed what is not there yet. */
  @Override
  int occupancy() {
    return (int) Math.max(0, ring.getCursor() - claimed.get());
  }

  @Override
  int size() {
    return ring.getBufferSize();
  }
}
