package dev.ringside.thrift.internal.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of one connection in clear: either as they are on the socket, or what TLS makes of
 * them. The defaults are those without TLS.
 */
public interface Wire {
  /**
   * Reads what is there into a buffer of the thread, which {@code io.received} is from then on.
   * Reads a part of it if that is much.
   *
   * @return how many bytes, 0 if there are none now, -1 if the client has ended the stream
   */
  int read(ThreadBuffers io) throws IOException;

  /**
   * Returns the steps of a handshake that must run, and may block, before the next read; null if
   * there are none.
   */
  default @Nullable Runnable steps() {
    return null;
  }

  /** Reports whether there may be more to read, after a read that brought {@code count} bytes. */
  boolean hasMore(ThreadBuffers io, int count);

  /**
   * Sends the bytes that remain in a buffer with an array, and moves its position. May use {@code
   * io.net}.
   *
   * @return how many of them were taken; fewer than given means that the socket takes no more now
   */
  int write(ThreadBuffers io, ByteBuffer bytes) throws IOException;

  /**
   * Sends buffers in their order, as {@link #write(ThreadBuffers, ByteBuffer)} does.
   *
   * @return how many bytes of them were taken
   */
  default long write(ThreadBuffers io, ByteBuffer[] pieces) throws IOException {
    long taken = 0;
    for (ByteBuffer piece : pieces) {
      taken += write(io, piece);
      if (piece.hasRemaining()) {
        break;
      }
    }
    return taken;
  }

  /** Sends what an earlier write has left behind; true if nothing is left. */
  default boolean flush(ThreadBuffers io) throws IOException {
    return true;
  }

  /** Reports whether an earlier write has left something behind. */
  default boolean hasUnsent() {
    return false;
  }

  /**
   * Reports whether the client has not finished a handshake or a record. The time for this is
   * limited, even if the client keeps sending bytes.
   */
  default boolean isUnfinished() {
    return false;
  }

  /** Returns System.nanoTime() when the client could begin that record, or step of a handshake. */
  default long began() {
    return 0;
  }

  /** Lets that time begin now, because the server could not read before. */
  default void beginAgain(long now) {}

  /**
   * Reports whether a part has come of what clear bytes will be made of, once the client may send
   * any.
   */
  default boolean isMidRecord() {
    return false;
  }

  /** The session of TLS once the client may send clear bytes; null without TLS. */
  default @Nullable SSLSession session() {
    return null;
  }

  /** Says goodbye: whatever the socket takes at once. */
  default void end(ThreadBuffers io) throws IOException {}

  /**
   * Reads a channel that does not block. Java 8 closes a channel that an interrupted thread uses,
   * so an interrupt that has come too late for a handler is removed first.
   */
  static int read(SocketChannel channel, ByteBuffer to) throws IOException {
    Thread.interrupted();
    return channel.read(to);
  }

  /** Writes to a channel that does not block, in the same way. */
  static int write(SocketChannel channel, ByteBuffer from) throws IOException {
    Thread.interrupted();
    return channel.write(from);
  }

  /** Writes several buffers with one call, in the same way. */
  static long write(SocketChannel channel, ByteBuffer[] from) throws IOException {
    Thread.interrupted();
    return channel.write(from);
  }
}
