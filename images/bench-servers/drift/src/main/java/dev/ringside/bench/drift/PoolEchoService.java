package dev.ringside.bench.drift;

import com.facebook.drift.annotations.ThriftField;
import com.facebook.drift.annotations.ThriftMethod;
import com.facebook.drift.annotations.ThriftService;
import com.google.common.util.concurrent.ListenableFuture;
import com.google.common.util.concurrent.ListeningExecutorService;
import com.google.common.util.concurrent.MoreExecutors;
import dev.ringside.bench.handler.HandlerWork;
import java.nio.ByteBuffer;
import java.util.concurrent.ExecutorService;

/**
 * The benchmark's service off Drift's event loops, in the way that Drift has for it: its methods
 * return futures, which a pool completes. They are those of {@link LoopEchoService}.
 */
@ThriftService
public final class PoolEchoService {
  private final HandlerWork work;
  private final ListeningExecutorService pool;

  /** A service whose methods do that in that pool, which stays the caller's. */
  public PoolEchoService(HandlerWork work, ExecutorService pool) {
    this.work = work;
    this.pool = MoreExecutors.listeningDecorator(pool);
  }

  /** Answers at once. */
  @ThriftMethod
  public ListenableFuture<ByteBuffer> echo(@ThriftField(1) ByteBuffer payload) {
    return answer(payload);
  }

  /** Takes CPU. */
  @ThriftMethod
  public ListenableFuture<ByteBuffer> burn(@ThriftField(1) ByteBuffer payload) {
    return answer(payload);
  }

  /** Sleeps. */
  @ThriftMethod
  public ListenableFuture<ByteBuffer> nap(@ThriftField(1) ByteBuffer payload) {
    return answer(payload);
  }

  /** Sleeps now and then. */
  @ThriftMethod
  public ListenableFuture<ByteBuffer> mixed(@ThriftField(1) ByteBuffer payload) {
    return answer(payload);
  }

  /** Waits in a socket. */
  @ThriftMethod
  public ListenableFuture<ByteBuffer> ask(@ThriftField(1) ByteBuffer payload) {
    return answer(payload);
  }

  /** Sleeps from some time on. */
  @ThriftMethod
  public ListenableFuture<ByteBuffer> turn(@ThriftField(1) ByteBuffer payload) {
    return answer(payload);
  }

  private ListenableFuture<ByteBuffer> answer(ByteBuffer payload) {
    return pool.submit(
        () -> {
          work.run(payload);
          return payload;
        });
  }
}
