package dev.ringside.thrift.internal.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Implements a connection without TLS. */
public final class PlainWire implements Wire {
  private final SocketChannel channel;

  public PlainWire(SocketChannel channel) {
    this.channel = channel;
  }

  @Override
  public int read(ThreadBuffers io) throws IOException {
    io.received = io.net;
    io.net.clear();
    int count = Wire.read(channel, io.net);
    io.net.flip();
    return count;
  }

  @Override
  public boolean hasMore(ThreadBuffers io, int count) {
    // A read that does not fill the buffer has emptied the socket.
    return count == io.net.capacity();
  }

  /** Sends it in pieces. Java would keep a direct buffer of all its size for each thread. */
  @Override
  public int write(ThreadBuffers io, ByteBuffer bytes) throws IOException {
    if (bytes.isDirect()) {
      return Wire.write(channel, bytes);
    }
    int from = bytes.position();
    int rest = bytes.remaining();
    while (rest > 0) {
      int size = Math.min(rest, io.net.capacity());
      io.net.clear();
      io.net.put(bytes.array(), bytes.arrayOffset() + bytes.position(), size);
      io.net.flip();
      int sent = Wire.write(channel, io.net);
      bytes.position(bytes.position() + sent);
      rest = sent < size ? 0 : rest - sent;
    }
    return bytes.position() - from;
  }

  /** Sends a large reply with one system call, if all pieces after the first are direct. */
  @Override
  public long write(ThreadBuffers io, ByteBuffer[] pieces) throws IOException {
    ByteBuffer first = pieces[0];
    for (int i = 1; i < pieces.length; i++) {
      if (!pieces[i].isDirect()) {
        return Wire.super.write(io, pieces);
      }
    }
    io.net.clear();
    io.net.put(first.duplicate());
    io.net.flip();
    pieces[0] = io.net;
    long taken = Wire.write(channel, pieces);
    first.position(first.position() + io.net.position());
    pieces[0] = first;
    return taken;
  }
}
