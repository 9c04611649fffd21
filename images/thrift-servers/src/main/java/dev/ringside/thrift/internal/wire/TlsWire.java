package dev.ringside.thrift.internal.wire;

import dev.ringside.thrift.internal.work.ServerThread;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;
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

  /**
   * How many records one read decrypts, so that others have their turn, though the records have a
   * byte each, or none, as messages of TLS itself. One takes some 2 to 6 µs.
   */
  private static final int MAX_RECORDS = 64;

  private final SocketChannel channel;
  private final SSLEngine engine;

  /** Encrypted and not sent, ready to be read; null if there is nothing. */
  private @Nullable ByteBuffer unsent;

  /** Received and not decrypted, ready to be read; null if there is nothing. */
  private @Nullable ByteBuffer received;

  /** What the last read found: no more bytes on the socket, or no more room for clear ones. */
  private boolean socketEmpty;

  private boolean full;

  /** Whether the last read left an incomplete record. */
  private boolean midRecord;

  /** Whether the last read left steps of the handshake. */
  private boolean needsSteps;

  /** Whether such steps have run, and nothing was decrypted since. */
  private boolean stepped;

  /** Whether the first handshake has ended; a second one is rejected. */
  private boolean established;

  /**
   * Whether the client has ended TLS, or the stream without ending TLS; the next read reports it.
   */
  private boolean ended;

  private boolean cutOff;

  /**
   * System.nanoTime() when the server last sent a step of the handshake, or when the incomplete
   * record after it began.
   */
  private long began = System.nanoTime();

  public TlsWire(SocketChannel channel, SSLEngine engine) {
    this.channel = channel;
    this.engine = engine;
  }

  @Override
  public int read(ThreadBuffers io) throws IOException {
    ByteBuffer clear = io.clear();
    io.received = clear;
    socketEmpty = false;
    full = false;
    needsSteps = false;
    try {
      decrypt(io, clear);
    } catch (RuntimeException e) {
      // On Java 8, what a stranger sends may be an exception of a cryptographic provider.
      throw new SSLException("TLS cannot read what the client sends", e);
    }
    // The last step of a handshake may be the server's.
    establish();
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

  private void decrypt(ThreadBuffers io, ByteBuffer clear) throws IOException {
    for (int records = 0; !ended && !cutOff && flush(io) && handshake(io, false); records++) {
      if (records == MAX_RECORDS
          || clear.remaining() < engine.getSession().getApplicationBufferSize()) {
        full = true;
        return;
      }
      if (received == null && !receive(io)) {
        if (stepped) {
          // Throws what a step has thrown; otherwise, there is nothing to read.
          engine.unwrap(NOTHING, clear);
        }
        return;
      }
      stepped = false;
      SSLEngineResult result = engine.unwrap(received, clear);
      refuseAnotherHandshake();
      if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
        ended = true;
        return;
      }
      if (result.getStatus() == SSLEngineResult.Status.BUFFER_UNDERFLOW && !receive(io)) {
        return;
      }
      if (result.getStatus() == SSLEngineResult.Status.BUFFER_OVERFLOW) {
        full = true;
        return;
      }
      if (received != null && !received.hasRemaining()) {
        received = null;
      }
    }
  }

  /**
   * Rejects a second handshake. TLS 1.2 lets a client begin one at any time, which is expensive for
   * the server and cheap for the client. Messages of TLS 1.3 after the handshake are not of that
   * kind.
   */
  private void refuseAnotherHandshake() throws IOException {
    if (established
        && isShaking()
        && !engine.isInboundDone()
        && !TLS_1_3.equals(engine.getSession().getProtocol())) {
      throw new SSLException("the client wants a new handshake, which is refused");
    }
    establish();
  }

  private void establish() {
    established = established || !isShaking() && !NOT_YET.equals(engine.getSession().getProtocol());
  }

  private boolean isShaking() {
    return engine.getHandshakeStatus() != SSLEngineResult.HandshakeStatus.NOT_HANDSHAKING;
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
          if (!established) {
            began = io.now;
          }
          if (!send(out)) {
            return false;
          }
          break;
        default:
          return true;
      }
    }
  }

  private void runTasks() {
    stepped = true;
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
    if (received == io.net) {
      io.net.compact();
    } else {
      io.net.clear();
      if (received != null) {
        io.net.put(received);
      }
    }
    int room = io.net.remaining();
    int count = Wire.read(channel, io.net);
    io.net.flip();
    received = io.net.hasRemaining() ? io.net : null;
    socketEmpty = count < room;
    cutOff = count < 0;
    return count > 0;
  }

  /** Copies unused bytes from the thread's buffer to the connection's own. */
  @SuppressWarnings("ReferenceEquality") // Whether it is the thread's buffer, not what it contains.
  private void keepReceived(ThreadBuffers io) {
    if (received != null && received == io.net) {
      ByteBuffer own = ByteBuffer.allocate(received.remaining());
      own.put(received);
      own.flip();
      received = own;
    }
    if (established && (received == null || !midRecord)) {
      began = io.now;
    }
    midRecord = received != null;
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
  public void beginAgain(long now) {
    began = now;
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
      send(out);
      if (result.bytesConsumed() == 0 && !handshakeWithoutClient(io)) {
        throw new IOException("the client wants a new handshake, which is not supported");
      }
    }
    return clear.position() - from;
  }

  /**
   * Sends a filled buffer and keeps what the socket does not accept; returns true if that is
   * nothing.
   */
  private boolean send(ByteBuffer out) throws IOException {
    out.flip();
    if (unsent == null) {
      Wire.write(channel, out);
    }
    if (!out.hasRemaining()) {
      return true;
    }
    ByteBuffer both =
        ByteBuffer.allocate((unsent == null ? 0 : unsent.remaining()) + out.remaining());
    if (unsent != null) {
      both.put(unsent);
    }
    both.put(out);
    both.flip();
    unsent = both;
    return false;
  }

  private boolean handshakeWithoutClient(ThreadBuffers io) throws IOException {
    return handshake(io, true)
        && engine.getHandshakeStatus() == SSLEngineResult.HandshakeStatus.NOT_HANDSHAKING;
  }

  @Override
  public boolean flush(ThreadBuffers io) throws IOException {
    if (unsent != null) {
      Wire.write(channel, unsent);
      if (unsent.hasRemaining()) {
        return false;
      }
      unsent = null;
    }
    return true;
  }

  @Override
  public boolean hasUnsent() {
    return unsent != null;
  }

  @Override
  public void end(ThreadBuffers io) throws IOException {
    if (flush(io) && !engine.isOutboundDone()) {
      engine.closeOutbound();
      ByteBuffer out = io.tlsOut(engine.getSession().getPacketBufferSize());
      engine.wrap(NOTHING, out);
      out.flip();
      Wire.write(channel, out);
    }
  }
}
