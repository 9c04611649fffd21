package dev.ringside.bench.drift;

import com.facebook.drift.annotations.ThriftField;
import com.facebook.drift.annotations.ThriftMethod;
import com.facebook.drift.annotations.ThriftService;
import dev.ringside.bench.handler.HandlerWork;
import java.nio.ByteBuffer;

/**
 * The benchmark's service as Drift runs it by itself: on the event loop that read the request,
 * whose other connections wait meanwhile. Every method is {@code binary method(1: binary payload)}
 * and gives the payload back.
 */
@ThriftService
public final class LoopEchoService {
  private final HandlerWork work;

  /** A service whose methods do that. */
  public LoopEchoService(HandlerWork work) {
    this.work = work;
  }

  /** Answers at once. */
  @ThriftMethod
  public ByteBuffer echo(@ThriftField(1) ByteBuffer payload) {
    return answer(payload);
  }

  /** Takes CPU. */
  @ThriftMethod
  public ByteBuffer burn(@ThriftField(1) ByteBuffer payload) {
    return answer(payload);
  }

  /** Sleeps. */
  @ThriftMethod
  public ByteBuffer nap(@ThriftField(1) ByteBuffer payload) {
    return answer(payload);
  }

  /** Sleeps now and then. */
  @ThriftMethod
  public ByteBuffer mixed(@ThriftField(1) ByteBuffer payload) {
    return answer(payload);
  }

  /** Waits in a socket. */
  @ThriftMethod
  public ByteBuffer ask(@ThriftField(1) ByteBuffer payload) {
    return answer(payload);
  }

  /** Sleeps from some time on. */
  @ThriftMethod
  public ByteBuffer turn(@ThriftField(1) ByteBuffer payload) {
    return answer(payload);
  }

  private ByteBuffer answer(ByteBuffer payload) {
    work.run(payload);
    return payload;
  }
}
