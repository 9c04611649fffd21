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
import dev.ringside.thrift.internal.loop.Connection;
import dev.ringside.thrift.internal.loop.Options;
import dev.ringside.thrift.internal.loop.ServerCore;
import dev.ringside.thrift.internal.loop.Worker;
import dev.ringside.thrift.internal.wire.Shortage;
import dev.ringside.thrift.internal.work.HandOff;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Uses the Disruptor's worker pool, in which one of many threads handles each event. It has its own
 * wait strategies and threads: as many as the server may have workers, but at most {@value
 * #MOST_THREADS}. All start with the first entry. The server's own threads only lead its event
 * loops and do not linger.
 *
 * <p>The Disruptor's batch event processors are not suitable: each sees every event. Requests would
 * be assigned by sequence number, and could wait behind one that blocks.
 */
final class DisruptorHandOff extends HandOff<Connection> {
  private static final int MOST_THREADS = 64;
  private static final long START_SECONDS = 5;

  /** Holds an event; empty after the event was taken. */
  private static final class Slot extends AtomicReference<Connection> {
    private static final long serialVersionUID = 1;
  }

  private final ServerCore server;
  private final RingBuffer<Slot> ring;
  private final com.lmax.disruptor.WorkerPool<Slot> pool;
  private final Sequence claimed;
  private final CountDownLatch running;
  private final AtomicInteger serving = new AtomicInteger();
  private volatile boolean started;
  private boolean ended;

  /**
   * Creates the hand-off that replaces a server's ring. The server's option selects the wait
   * strategy.
   */
  DisruptorHandOff(ServerCore server) {
    this.server = server;
    Options options = server.options();
    ring =
        RingBuffer.createMultiProducer(
            Slot::new,
            options.ringSize,
            new Telling(WaitStrategies.of(options), server.ringShortage()));
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
   * Returns the sequences with the pool's own sequence first. A publisher reads them in order.
   *
   * <p>A thread that has released its event gates no publisher. It publishes its next sequence as
   * its own before it advances the pool's. With the pool's sequence last, a publisher may miss both
   * and overwrite an event that was not taken.
   */
  private static Sequence[] claimedFirst(Sequence[] sequences) {
    Sequence[] ordered = new Sequence[sequences.length];
    ordered[0] = sequences[sequences.length - 1];
    System.arraycopy(sequences, 0, ordered, 1, sequences.length - 1);
    return ordered;
  }

  /**
   * Reports room to the loops before each wait. A thread that claims its next event reduces the
   * room for a moment and restores it before it waits, so a loop that has seen no room must check
   * again.
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

  /** Runs events on one of the pool's threads. */
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
      // Before the event is taken: a stop that finds no events waits for the threads that serve.
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
      // Before the request runs, so that its slot is free during the request.
      releaser.release();
      // The release must be visible before the worker checks whether loops wait for room.
      VarHandle.fullFence();
      if (connection != null) {
        worker.serve(connection);
      }
    }

    @Override
    public void onShutdown() {
      // the worker has not lingered, so there is nothing to return
    }
  }

  @Override
  public boolean offer(Connection connection) {
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

  /** Waits for the processors to run, because a halt before that has no effect. */
  @Override
  public synchronized void end() {
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
  public boolean isPolled() {
    return false;
  }

  @Override
  public int threads() {
    return serving.get();
  }

  @Override
  public Connection poll() {
    return null;
  }

  @Override
  public Connection takeBack() {
    for (int i = 0; i < ring.getBufferSize(); i++) {
      Connection connection = ring.get(i).getAndSet(null);
      if (connection != null) {
        return connection;
      }
    }
    return null;
  }

  @Override
  public boolean isEmpty() {
    return occupancy() == 0;
  }

  @Override
  public boolean hasRoom() {
    return ring.hasAvailableCapacity(1);
  }

  /**
   * Returns published entries that are not claimed. Idle threads have claimed entries ahead of the
   * cursor.
   */
  @Override
  public int occupancy() {
    return (int) Math.max(0, ring.getCursor() - claimed.get());
  }

  @Override
  public int size() {
    return ring.getBufferSize();
  }
}
