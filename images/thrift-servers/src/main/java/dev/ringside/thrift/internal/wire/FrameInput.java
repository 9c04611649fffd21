package dev.ringside.thrift.internal.wire;

import org.apache.thrift.transport.TTransportException;
import org.jspecify.annotations.Nullable;

/**
 * Is the transport that a protocol reads a request from. There is one per connection, which points
 * at each request in turn.
 *
 * <p>The memory behind most requests is reused for the next one. A protocol that takes slices of
 * {@link #getBuffer()} would hand that memory to the handler. So the buffer is visible for the
 * message header only, which contains a name and numbers; from the arguments on, protocols copy. A
 * large request that has an array of its own, which the server does not use again, is visible as a
 * whole.
 */
public final class FrameInput extends FrameTransport {
  private static final byte[] NOTHING = {};

  private final boolean raw;
  private final int maxFrameBytes;
  private byte[] bytes = NOTHING;
  private int position;
  private int end;
  private int visibleEnd;

  /**
   * Creates a transport for requests of at most {@code maxFrameBytes}.
   *
   * @param raw true if a user's transport lies between this one and the protocol: it may read the
   *     whole frame before the protocol asks for the first field, and may unpack it
   */
  public FrameInput(boolean raw, int maxFrameBytes) {
    super(maxFrameBytes);
    this.raw = raw;
    this.maxFrameBytes = maxFrameBytes;
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

  /** Forgets the request, so that an idle connection holds no thread's buffer. */
  public void clear() {
    reset(NOTHING, 0, 0, 0);
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
  public int read(byte[] to, int offset, int length) throws TTransportException {
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
    System.arraycopy(bytes, position, to, offset, length);
    position += length;
    return length;
  }

  @Override
  public void write(byte[] from, int offset, int length) {
    throw new UnsupportedOperationException("a request is read-only");
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
}
