package dev.ringside.bench.drift;

import com.facebook.drift.annotations.ThriftField;
import com.facebook.drift.annotations.ThriftMethod;
import com.facebook.drift.annotations.ThriftService;
import dev.ringside.bench.handler.HandlerWork;
import java.nio.ByteBuffer;

/**
 * Implements the benchmark's service in Drift's default way: on the event loop that read the
 * request, so its other connections wait. Every method is {@code binary method(1: binary payload)}
 * and returns the payload.
 */
@ThriftService
public final class LoopEchoService {
  private final HandlerWork work;

  /** Creates the service. */
  public LoopEchoService(HandlerWork work) {
    this.work = work;
  }

  /** Answers at once. */
  @ThriftMethod
  public ByteBuffer echo(@ThriftField(1) ByteBuffer payload) {
    return answer(payload);
  }

  /** Answers 64 KB at once. */
  @ThriftMethod
  public ByteBuffer echo64k(@ThriftField(1) ByteBuffer payload) {
    return answer(payload);
  }

  /** Answers 1 MB at once. */
  @ThriftMethod
  public ByteBuffer echo1m(@ThriftField(1) ByteBuffer payload) {
    return answer(payload);
  }

  /** Uses CPU time. */
  @ThriftMethod
  public ByteBuffer burn(@ThriftField(1) ByteBuffer payload) {
    return answer(payload);
  }

  /** Sleeps. */
  @ThriftMethod
  public ByteBuffer nap(@ThriftField(1) ByteBuffer payload) {
    return answer(payload);
  }

  /** Sleeps in some calls. */
  @ThriftMethod
  public ByteBuffer mixed(@ThriftField(1) ByteBuffer payload) {
    return answer(payload);
  }

  /** Waits for a socket. */
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
