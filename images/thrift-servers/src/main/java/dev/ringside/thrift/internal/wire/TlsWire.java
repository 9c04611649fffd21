package dev.ringside.thrift.internal.wire;

import dev.ringside.thrift.internal.work.ServerThread;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Implements a connection with TLS. Between two servings it holds the encrypted bytes of an
 * incomplete record and those that the socket did not accept; usually neither.
 *
 * <p>The expensive steps of a handshake take one or two milliseconds, once per connection, and more
 * where trust managers wait. The thread that serves the connection runs them between two reads.
 */
public final class TlsWire implements Wire {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
  private static final String TLS_1_3 = "TLSv1.3";

  /** Protocol name of a session before its handshake. */
  private static final String NOT_YET = "NONE";

  private final SocketChannel channel;
  private final SSLEngine engine;
  private final ReadBudget budget;
  private final TlsOutput output;

  /** Received and not decrypted, ready to be read; null if there is nothing. */
  private @Nullable ByteBuffer received;

  /** What the last read found: no more bytes on the socket, or no more room for clear ones. */
  private boolean socketEmpty;

  private boolean full;

  /** Whether the last read left an incomplete record. */
  private boolean midRecord;

  /** Whether the last read left steps of the handshake. */
  private boolean needsSteps;

  /** Whether the first handshake has ended; a second one is rejected. */
  private boolean established;

  /**
   * Whether the client has ended TLS, or the stream without ending TLS; the next read reports it.
   */
  private boolean ended;

  private boolean cutOff;

  /** System.nanoTime() when the handshake, or the incomplete record after it, began. */
  private long began = System.nanoTime();

  /** Bytes charged to the read budget for an incomplete record. */
  private int charged;

  public TlsWire(SocketChannel channel, SSLEngine engine, ReadBudget budget) {
    this.channel = channel;
    this.engine = engine;
    this.budget = budget;
    this.output = new TlsOutput(channel);
  }

  @Override
  public int read(ThreadBuffers io) throws IOException {
    ByteBuffer clear = io.netIn;
    clear.clear();
    socketEmpty = false;
    full = false;
    needsSteps = false;
    release();
    while (!ended && !cutOff && flush(io) && handshake(io, false)) {
      if (clear.position() >= io.readLimit
          || clear.remaining() < engine.getSession().getApplicationBufferSize()) {
        full = true;
        break;
      }
      if (received == null && !receive(io)) {
        break;
      }
      SSLEngineResult result = engine.unwrap(received, clear);
      refuseAnotherHandshake();
      if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
        ended = true;
        break;
      }
      if (result.getStatus() == SSLEngineResult.Status.BUFFER_UNDERFLOW && !receive(io)) {
        break;
      }
      if (result.getStatus() == SSLEngineResult.Status.BUFFER_OVERFLOW) {
        full = true;
        break;
      }
      if (received != null && !received.hasRemaining()) {
        received = null;
      }
    }
    keepReceived(io);
    clear.flip();
    if (clear.hasRemaining()) {
      return clear.remaining();
    }
    if (cutOff) {
      throw new IOException("the client ended the stream without ending TLS");
    }
    return ended ? -1 : 0;
  }

  /**
   * Rejects a second handshake. TLS 1.2 lets a client begin one at any time, which is expensive for
   * the server and cheap for the client. Messages of TLS 1.3 after the handshake are not of that
   * kind.
   */
  private void refuseAnotherHandshake() throws IOException {
    boolean shaking =
        engine.getHandshakeStatus() != SSLEngineResult.HandshakeStatus.NOT_HANDSHAKING
            && engine.getHandshakeStatus() != SSLEngineResult.HandshakeStatus.FINISHED;
    if (!shaking) {
      established |= !NOT_YET.equals(engine.getSession().getProtocol());
    } else if (established
        && !engine.isInboundDone()
        && !TLS_1_3.equals(engine.getSession().getProtocol())) {
      throw new IOException("the client wants a new handshake, which is refused");
    }
  }

  /**
   * Continues a handshake as far as possible without bytes from the client; returns false if the
   * socket is full, or steps remain that may block and must not run here.
   */
  private boolean handshake(ThreadBuffers io, boolean mayBlock) throws IOException {
    while (true) {
      switch (engine.getHandshakeStatus()) {
        case NEED_TASK:
          if (!mayBlock) {
            needsSteps = true;
            return false;
          }
          runTasks();
          break;
        case NEED_WRAP:
          ByteBuffer out = io.tlsOut(engine.getSession().getPacketBufferSize());
          engine.wrap(NOTHING, out);
          if (!output.send(out)) {
            return false;
          }
          break;
        default:
          return true;
      }
    }
  }

  private void runTasks() {
    ServerThread.beginUserCode();
    try {
      for (Runnable task = engine.getDelegatedTask();
          task != null;
          task = engine.getDelegatedTask()) {
        task.run();
      }
    } finally {
      ServerThread.endUserCode();
    }
  }

  /** Receives and appends encrypted bytes; returns false if the socket has none. */
  @SuppressWarnings("ReferenceEquality") // Whether it is the thread's buffer, not what it contains.
  private boolean receive(ThreadBuffers io) throws IOException {
    if (socketEmpty) {
      return false;
    }
    ByteBuffer scratch = io.tlsIn(engine.getSession().getPacketBufferSize());
    if (received == scratch) {
      scratch.compact();
    } else {
      scratch.clear();
      if (received != null) {
        scratch.put(received);
      }
    }
    int room = scratch.remaining();
    int count = Sockets.read(channel, scratch);
    scratch.flip();
    received = scratch.hasRemaining() ? scratch : null;
    socketEmpty = count < room;
    cutOff = count < 0;
    return count > 0;
  }

  /** Copies unused bytes from the thread's buffer to the connection's own. */
  @SuppressWarnings("ReferenceEquality") // Whether it is the thread's buffer, not what it contains.
  private void keepReceived(ThreadBuffers io) {
    if (received != null && received == io.tlsIn(0)) {
      ByteBuffer own = ByteBuffer.allocate(received.remaining());
      own.put(received);
      own.flip();
      received = own;
    }
    if (received != null) {
      charged = received.remaining();
      budget.add(charged);
    }
    if (established && (received == null || !midRecord)) {
      began = io.now;
    }
    midRecord = received != null;
  }

  private void release() {
    budget.add(-charged);
    charged = 0;
  }

  @Override
  public boolean isUnfinished() {
    return !established || received != null;
  }

  @Override
  public long began() {
    return began;
  }

  @Override
  public SSLSession session() {
    return engine.getSession();
  }

  @Override
  public boolean isMidRecord() {
    return established && received != null;
  }

  @Override
  public @Nullable Runnable steps() {
    return needsSteps ? this::runTasks : null;
  }

  @Override
  public boolean hasMore(ThreadBuffers io, int count) {
    return full || !socketEmpty || ended || cutOff || needsSteps;
  }

  @Override
  public int write(ThreadBuffers io, ByteBuffer clear) throws IOException {
    int from = clear.position();
    while (clear.hasRemaining() && flush(io)) {
      ByteBuffer out = io.tlsOut(engine.getSession().getPacketBufferSize());
      SSLEngineResult result = engine.wrap(clear, out);
      if (result.getStatus() != SSLEngineResult.Status.OK) {
        throw new IOException("TLS cannot send: " + result.getStatus());
      }
      output.send(out);
      if (result.bytesConsumed() == 0 && !handshakeWithoutClient(io)) {
        throw new IOException("the client wants a new handshake, which is not supported");
      }
    }
    return clear.position() - from;
  }

  private boolean handshakeWithoutClient(ThreadBuffers io) throws IOException {
    return handshake(io, true)
        && engine.getHandshakeStatus() == SSLEngineResult.HandshakeStatus.NOT_HANDSHAKING;
  }

  @Override
  public boolean flush(ThreadBuffers io) throws IOException {
    return output.flush();
  }

  @Override
  public boolean hasUnsent() {
    return !output.isEmpty();
  }

  @Override
  public void end(ThreadBuffers io) throws IOException {
    release();
    if (flush(io) && !engine.isOutboundDone()) {
      engine.closeOutbound();
      ByteBuffer out = io.tlsOut(engine.getSession().getPacketBufferSize());
      engine.wrap(NOTHING, out);
      out.flip();
      Sockets.write(channel, out);
    }
  }
}
