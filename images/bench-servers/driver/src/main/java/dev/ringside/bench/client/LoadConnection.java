package dev.ringside.bench.client;

import dev.ringside.bench.wire.Delay;
import dev.ringside.bench.wire.EchoFrame;
import dev.ringside.bench.wire.Handler;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.SplittableRandom;

/**
 * Is one connection with at most {@code depth} requests in flight, answered in order. The replies
 * of one read are followed by new requests in one write. Used by the client's thread only.
 */
final class LoadConnection {
  private final SocketChannel channel;
  private final EchoFrame frame;
  private final Handler handler;
  private final boolean plainEcho;
  private final SplittableRandom random;
  private final ByteBuffer in;
  private final ByteBuffer out;
  private final long[] sentNanos;
  private final Delay[] delays;
  private int sent;
  private int answered;

  LoadConnection(
      SocketChannel channel,
      EchoFrame frame,
      Handler handler,
      boolean plainEcho,
      int depth,
      SplittableRandom random) {
    this.channel = channel;
    this.frame = frame;
    this.handler = handler;
    this.plainEcho = plainEcho;
    this.random = random;
    in = ByteBuffer.allocateDirect(frame.bytes() * depth);
    out = ByteBuffer.allocateDirect(frame.bytes() * depth);
    sentNanos = new long[depth];
    delays = new Delay[depth];
  }

  SocketChannel channel() {
    return channel;
  }

  int underWay() {
    return sent - answered;
  }

  /** Sends requests until {@code depth} are in flight. */
  void fill(SelectionKey key, long now, boolean turned) throws IOException {
    while (underWay() < sentNanos.length) {
      put(now, turned);
    }
    flush(key);
  }

  /**
   * Sends one request whose time starts at {@code since}. Fewer than {@code depth} must be in
   * flight.
   */
  void send(SelectionKey key, long since, boolean turned) throws IOException {
    put(since, turned);
    flush(key);
  }

  private void put(long since, boolean turned) {
    int slot = sent % sentNanos.length;
    delays[slot] = handler.next(random, turned);
    sentNanos[slot] = since;
    frame.putRequest(out, sent, delays[slot]);
    sent++;
  }

  /** Writes pending bytes. Registers for writability if some remain. */
  void flush(SelectionKey key) throws IOException {
    out.flip();
    channel.write(out);
    boolean more = out.hasRemaining();
    out.compact();
    int want = more ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ;
    if (key.interestOps() != want) {
      key.interestOps(want);
    }
  }

  /**
   * Reads the available replies.
   *
   * @return how many
   * @throws IOException if the server closed the connection or a reply is wrong
   */
  int receive(Replies replies, long now) throws IOException {
    if (channel.read(in) < 0) {
      throw new IOException("the server closed a connection with " + underWay() + " under way");
    }
    int at = 0;
    int count = 0;
    while (in.position() - at >= frame.bytes()) {
      take(replies, at, now);
      at += frame.bytes();
      count++;
    }
    // A reply of another length, such as an exception, may be shorter than the expected frame.
    if (in.position() - at >= Integer.BYTES && !frame.lengthFits(in, at)) {
      throw new IOException("wrong reply: a frame of " + in.getInt(at) + " bytes");
    }
    if (at == in.position()) {
      in.clear();
    } else if (at > 0) {
      in.flip().position(at);
      in.compact();
    }
    return count;
  }

  private void take(Replies replies, int at, long now) throws IOException {
    if (underWay() == 0) {
      throw new IOException("wrong reply: nothing was asked");
    }
    int slot = answered % sentNanos.length;
    String fault =
        frame.lengthFits(in, at)
            ? frame.fault(in, at, answered, delays[slot], plainEcho)
            : "a frame of " + in.getInt(at) + " bytes";
    if (fault != null) {
      throw new IOException("wrong reply: " + fault);
    }
    replies.record(now - sentNanos[slot], delays[slot]);
    answered++;
  }
}
