package dev.ringside.thrift.internal.wire;

import org.apache.thrift.transport.TTransportException;
import org.jspecify.annotations.Nullable;

/**
 * Is the transport of one connection's protocols: they read one request after the other from it,
 * and write replies to the buffer of the thread that serves the connection.
 *
 * <p>The memory behind most requests is reused for the next one. A protocol that takes slices of
 * {@link #getBuffer()} would hand that memory to the handler. So the buffer is visible for the
 * message header only, which contains a name and numbers; from the arguments on, protocols copy. A
 * large request that has an array of its own, which the server does not use again, is visible as a
 * whole.
 */
public final class FramePipe extends FrameTransport {
  private static final byte[] NOTHING = {};

  private final boolean raw;
  private final int maxFrameBytes;
  private byte[] bytes = NOTHING;
  private int position;
  private int end;
  private int visibleEnd;
  private @Nullable ReplyBuffer replies;

  /**
   * Creates a transport for requests of at most {@code maxFrameBytes}.
   *
   * @param raw true if a user's transport lies between this one and the protocol: it may read the
   *     whole frame before the protocol asks for the first field, may unpack it, and writes lengths
   *     of frames itself
   */
  public FramePipe(boolean raw, int maxFrameBytes) {
    super(maxFrameBytes);
    this.raw = raw;
    this.maxFrameBytes = maxFrameBytes;
  }

  /** Lends the serving thread's buffer. */
  public void lend(ReplyBuffer buffer) {
    replies = buffer;
  }

  /** Takes the buffer back and forgets the request, so that an idle connection holds neither. */
  public void clear() {
    replies = null;
    reset(NOTHING, 0, 0, 0);
  }

  /**
   * Points at a request in {@code bytes[from, to)}. Protocols may take slices of what is before
   * {@code visibleEnd}.
   */
  public void reset(byte[] bytes, int from, int to, int visibleEnd) {
    this.bytes = bytes;
    this.position = from;
    this.end = to;
    this.visibleEnd = visibleEnd;
  }

  private ReplyBuffer replies() {
    if (replies == null) {
      throw new IllegalStateException("a reply is written while no thread serves the connection");
    }
    return replies;
  }

  /** Begins the reply to one request. */
  public void begin() {
    if (!raw) {
      replies().beginFrame();
    }
  }

  /** Ends the reply to one request; an empty one, as after a oneway call, leaves no trace. */
  public void end() {
    if (!raw) {
      replies().endFrame();
    }
  }

  @Override
  public int longestField() {
    return raw ? maxFrameBytes : end - position;
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public boolean peek() {
    return position < end;
  }

  @Override
  public void open() {
    // always open
  }

  @Override
  public void close() {
    // the connection is the server's to close
  }

  @Override
  public int read(byte[] to, int offset, int length) {
    int count = Math.min(length, end - position);
    System.arraycopy(bytes, position, to, offset, count);
    position += count;
    return count;
  }

  @Override
  public int readAll(byte[] to, int offset, int length) throws TTransportException {
    if (length > end - position) {
      throw new TTransportException(
          TTransportException.END_OF_FILE,
          "the frame ends " + (length - (end - position)) + " bytes before the message does");
    }
    return read(to, offset, length);
  }

  @Override
  public byte @Nullable [] getBuffer() {
    return position < visibleEnd ? bytes : null;
  }

  @Override
  public int getBufferPosition() {
    return position;
  }

  @Override
  public int getBytesRemainingInBuffer() {
    return position < visibleEnd ? visibleEnd - position : -1;
  }

  @Override
  public void consumeBuffer(int length) {
    position += length;
  }

  @Override
  public void write(byte[] from, int offset, int length) {
    replies().write(from, offset, length);
  }

  /** Ends a frame, as TFramedTransport does. What is written after it is a further frame. */
  @Override
  public void flush() {
    if (!raw && replies().frameHasBytes()) {
      replies().endFrame();
      replies().beginFrame();
    }
  }
}
