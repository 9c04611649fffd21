package dev.ringside.thrift.internal.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of one connection in clear: either as they are on the socket, or what TLS makes of
 * them.
 */
public interface Wire {
  /**
   * Reads what is there into {@code io.netIn}, which is cleared before and flipped after.
   *
   * @return how many bytes, 0 if there are none now, -1 if the client has ended the stream
   */
  int read(ThreadBuffers io) throws IOException;

  /**
   * Returns the steps of a handshake that must run, and may block, before the next read; null if
   * there are none.
   */
  @Nullable Runnable steps();

  /** Reports whether there may be more to read, after a read that brought {@code count} bytes. */
  boolean hasMore(ThreadBuffers io, int count);

  /**
   * Sends the bytes that remain in a buffer, and moves its position. May use {@code io.netIn}.
   *
   * @return how many of them were taken; fewer than given means that the socket takes no more now
   */
  int write(ThreadBuffers io, ByteBuffer bytes) throws IOException;

  /** Sends what an earlier write has left behind; true if nothing is left. */
  boolean flush(ThreadBuffers io) throws IOException;

  /** Reports whether an earlier write has left something behind. */
  boolean hasUnsent();

  /**
   * Reports whether the client has not finished a handshake or a record. The time for this is
   * limited, even if the client keeps sending bytes.
   */
  boolean isUnfinished();

  /** Returns System.nanoTime() when that handshake or record began. */
  long began();

  /**
   * Reports whether a part has come of what clear bytes will be made of, once the client may send
   * any.
   */
  boolean isMidRecord();

  /** The session of TLS once the client may send clear bytes; null without TLS. */
  @Nullable SSLSession session();

  /** Says goodbye: whatever the socket takes at once. */
  void end(ThreadBuffers io) throws IOException;
}
