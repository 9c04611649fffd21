package dev.ringside.thrift.internal.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** Implements a connection without TLS. */
public final class PlainWire implements Wire {
  private final SocketChannel channel;

  public PlainWire(SocketChannel channel) {
    this.channel = channel;
  }

  @Override
  public int read(ThreadBuffers io) throws IOException {
    ByteBuffer buffer = io.netIn;
    buffer.clear();
    if (io.readLimit < buffer.capacity()) {
      buffer.limit(io.readLimit);
    }
    int count = Sockets.read(channel, buffer);
    buffer.flip();
    return count;
  }

  @Override
  public @Nullable Runnable steps() {
    return null;
  }

  @Override
  public boolean hasMore(ThreadBuffers io, int count) {
    // A read that does not fill the buffer has emptied the socket.
    return count == io.netIn.capacity() || count >= io.readLimit;
  }

  @Override
  public int write(ThreadBuffers io, ByteBuffer bytes) throws IOException {
    return bytes.isDirect() ? Sockets.write(channel, bytes) : writeArray(io.netIn, bytes);
  }

  /** Sends an array in pieces. Java would keep a direct buffer of all its size for each thread. */
  private int writeArray(ByteBuffer piece, ByteBuffer bytes) throws IOException {
    int from = bytes.position();
    int rest = bytes.remaining();
    while (rest > 0) {
      int size = Math.min(rest, piece.capacity());
      piece.clear();
      piece.put(bytes.array(), bytes.arrayOffset() + bytes.position(), size);
      piece.flip();
      int sent = Sockets.write(channel, piece);
      bytes.position(bytes.position() + sent);
      rest = sent < size ? 0 : rest - sent;
    }
    return bytes.position() - from;
  }

  @Override
  public boolean flush(ThreadBuffers io) {
    return true;
  }

  @Override
  public boolean hasUnsent() {
    return false;
  }

  @Override
  public boolean isUnfinished() {
    return false;
  }

  @Override
  public long began() {
    return 0;
  }

  @Override
  public @Nullable SSLSession session() {
    return null;
  }

  @Override
  public boolean isMidRecord() {
    return false;
  }

  @Override
  public void end(ThreadBuffers io) {
    // the end of the stream says it all
  }
}
