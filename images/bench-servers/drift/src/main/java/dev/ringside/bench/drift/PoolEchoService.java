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
 * Implements the benchmark's service on a pool instead of Drift's event loops, as Drift supports
 * it: methods return futures, which the pool completes. The methods are those of {@link
 * LoopEchoService}.
 */
@ThriftService
public final class PoolEchoService {
  private final HandlerWork work;
  private final ListeningExecutorService pool;

  /** Creates the service. The caller owns the pool. */
  public PoolEchoService(HandlerWork work, ExecutorService pool) {
    this.work = work;
    this.pool = MoreExecutors.listeningDecorator(pool);
  }

  /** Answers at once. */
  @ThriftMethod
  public ListenableFuture<ByteBuffer> echo(@ThriftField(1) ByteBuffer payload) {
    return answer(payload);
  }

  /** Answers 64 KB at once. */
  @ThriftMethod
  public ListenableFuture<ByteBuffer> echo64k(@ThriftField(1) ByteBuffer payload) {
    return answer(payload);
  }

  /** Answers 1 MB at once. */
  @ThriftMethod
  public ListenableFuture<ByteBuffer> echo1m(@ThriftField(1) ByteBuffer payload) {
    return answer(payload);
  }

  /** Uses CPU time. */
  @ThriftMethod
  public ListenableFuture<ByteBuffer> burn(@ThriftField(1) ByteBuffer payload) {
    return answer(payload);
  }

  /** Sleeps. */
  @ThriftMethod
  public ListenableFuture<ByteBuffer> nap(@ThriftField(1) ByteBuffer payload) {
    return answer(payload);
  }

  /** Sleeps in some calls. */
  @ThriftMethod
  public ListenableFuture<ByteBuffer> mixed(@ThriftField(1) ByteBuffer payload) {
    return answer(payload);
  }

  /** Waits for a socket. */
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
