package dev.ringside.thrift.internal.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * Sends the encrypted records of one connection, and holds those that the socket did not accept.
 * For the thread that serves the connection.
 */
public final class TlsOutput {
  private final SocketChannel channel;

  /** Encrypted and not sent, ready to be read; null if there is nothing. */
  private @Nullable ByteBuffer unsent;

  public TlsOutput(SocketChannel channel) {
    this.channel = channel;
  }

  /**
   * Sends a filled buffer and keeps what the socket does not accept; returns true if that is
   * nothing.
   */
  public boolean send(ByteBuffer out) throws IOException {
    out.flip();
    if (unsent == null) {
      Sockets.write(channel, out);
    }
    if (!out.hasRemaining()) {
      return true;
    }
    int before = unsent == null ? 0 : unsent.remaining();
    ByteBuffer both = ByteBuffer.allocate(before + out.remaining());
    if (before > 0) {
      both.put(unsent);
    }
    both.put(out);
    both.flip();
    unsent = both;
    return false;
  }

  /** Sends what was kept; returns true if nothing is left. */
  public boolean flush() throws IOException {
    if (unsent != null) {
      Sockets.write(channel, unsent);
      if (unsent.hasRemaining()) {
        return false;
      }
      unsent = null;
    }
    return true;
  }

  public boolean isEmpty() {
    return unsent == null;
  }
}
