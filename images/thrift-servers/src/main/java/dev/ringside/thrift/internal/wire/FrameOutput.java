package dev.ringside.thrift.internal.wire;

import org.jspecify.annotations.Nullable;

/**
 * Is the transport that a protocol writes replies to. There is one per connection. The bytes go to
 * the reply buffer of the thread that currently serves the connection.
 */
public final class FrameOutput extends FrameTransport {
  private final boolean raw;
  private @Nullable ReplyBuffer target;

  /**
   * @param raw true if what is written carries its own frame lengths, because the user's transport
   *     factory does more than framing
   */
  public FrameOutput(boolean raw, int maxFrameBytes) {
    super(maxFrameBytes);
    this.raw = raw;
  }

  /** Lends a thread's buffer, or takes it away with null. */
  public void lend(@Nullable ReplyBuffer buffer) {
    this.target = buffer;
  }

  private ReplyBuffer borrowed() {
    if (target == null) {
      throw new IllegalStateException("a reply is written while no thread serves the connection");
    }
    return target;
  }

  /** Begins the reply to one request. */
  public void begin() {
    if (!raw) {
      borrowed().beginFrame();
    }
  }

  /** Ends the reply to one request; an empty one, as after a oneway call, leaves no trace. */
  public void end() {
    if (!raw) {
      borrowed().endFrame();
    }
  }

  @Override
  public int longestField() {
    return 0;
  }

  @Override
  public boolean isOpen() {
    return true;
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
    throw new UnsupportedOperationException("a reply is write-only");
  }

  @Override
  public void write(byte[] from, int offset, int length) {
    borrowed().write(from, offset, length);
  }

  /** Ends a frame, as TFramedTransport does. What is written after it is a further frame. */
  @Override
  public void flush() {
    ReplyBuffer reply = borrowed();
    if (!raw && reply.frameHasBytes()) {
      reply.endFrame();
      reply.beginFrame();
    }
  }
}
