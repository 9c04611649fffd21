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
  /** Most bytes of one read. A longer reply is checked in pieces. */
  private static final int READ_BYTES = 64 << 10;

  /** A longer request is not copied: its tail is sent from the memory that all requests share. */
  private static final int COPY_BYTES = 4 << 10;

  private final SocketChannel channel;
  private final EchoFrame frame;
  private final Handler handler;
  private final boolean plainEcho;
  private final SplittableRandom random;
  private final ByteBuffer in;
  private final long[] sentNanos;
  private final Delay[] delays;
  private int sent;
  private int answered;

  /** Requests that are in {@code out}, or were. */
  private int encoded;

  /** Whole requests, or one head, which {@code tail} follows. */
  private final ByteBuffer out;

  /** What is to be sent of the tail of a large request. Null if requests are copied. */
  private final ByteBuffer tail;

  private final ByteBuffer[] headAndTail;

  /** Bytes of the current reply that are checked and no longer in {@code in}. */
  private int checked;

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
    in = ByteBuffer.allocateDirect((int) Math.min(READ_BYTES, (long) frame.bytes() * depth));
    boolean copied = frame.bytes() <= COPY_BYTES;
    out = ByteBuffer.allocateDirect(copied ? frame.bytes() * depth : frame.headBytes());
    tail = copied ? null : frame.tail().position(frame.tail().limit());
    headAndTail = new ByteBuffer[] {out, tail};
    sentNanos = new long[depth];
    delays = new Delay[depth];
  }

  int underWay() {
    return sent - answered;
  }

  /** Sends requests until {@code depth} are in flight. */
  void fill(SelectionKey key, long now, boolean turned) throws IOException {
    while (underWay() < sentNanos.length) {
      next(now, turned);
    }
    flush(key);
  }

  /**
   * Sends one request whose time starts at {@code since}. Fewer than {@code depth} must be in
   * flight.
   */
  void send(SelectionKey key, long since, boolean turned) throws IOException {
    next(since, turned);
    flush(key);
  }

  private void next(long since, boolean turned) {
    int slot = sent % sentNanos.length;
    delays[slot] = handler.next(random, turned);
    sentNanos[slot] = since;
    sent++;
  }

  /** Writes pending requests. Registers for writability if some remain. */
  void flush(SelectionKey key) throws IOException {
    boolean all;
    do {
      encode();
      all = write();
    } while (all && encoded < sent);
    int want = all ? SelectionKey.OP_READ : SelectionKey.OP_READ | SelectionKey.OP_WRITE;
    if (key.interestOps() != want) {
      key.interestOps(want);
    }
  }

  /** Encodes all requests that are not, or the next one if its tail is not copied. */
  private void encode() {
    while (encoded < sent) {
      Delay delay = delays[encoded % delays.length];
      if (tail == null) {
        frame.putRequest(out, encoded, delay);
      } else if (out.position() == 0 && !tail.hasRemaining()) {
        frame.putHead(out, encoded, delay);
        tail.rewind();
      } else {
        return;
      }
      encoded++;
    }
  }

  /** Writes what is encoded; returns false if the socket does not take all of it. */
  private boolean write() throws IOException {
    out.flip();
    if (tail == null) {
      channel.write(out);
    } else {
      channel.write(headAndTail);
    }
    out.compact();
    return out.position() == 0 && (tail == null || !tail.hasRemaining());
  }

  /**
   * Reads available bytes of replies.
   *
   * @return whether there may be more
   * @throws IOException if the server closed the connection
   */
  boolean read() throws IOException {
    if (channel.read(in) < 0) {
      throw new IOException("the server closed a connection with " + underWay() + " under way");
    }
    return !in.hasRemaining();
  }

  /** Reports whether a part of a reply has been taken. */
  boolean isMidReply() {
    return checked > 0;
  }

  /**
   * Checks what was read.
   *
   * @return how many replies ended in it
   * @throws IOException if a reply is wrong
   */
  int take(Replies replies, long now) throws IOException {
    int end = in.position();
    int at = 0;
    int count = 0;
    while (checked > 0 || isHead(at, end)) {
      if (checked == 0) {
        check(frame.fault(in, at, answered, delays[answered % delays.length], plainEcho));
        checked = frame.headBytes();
        at += checked;
      }
      int piece = Math.min(frame.bytes() - checked, end - at);
      check(frame.tailFault(in, at, piece, checked - frame.headBytes()));
      checked += piece;
      at += piece;
      if (checked < frame.bytes()) {
        break;
      }
      int slot = answered % sentNanos.length;
      replies.record(now - sentNanos[slot], delays[slot]);
      answered++;
      checked = 0;
      count++;
    }
    if (at == end) {
      in.clear();
    } else if (at > 0) {
      in.flip().position(at);
      in.compact();
    }
    return count;
  }

  /**
   * Reports whether the head of a reply is there.
   *
   * @throws IOException if it has another length, as an exception has, which may be shorter
   */
  private boolean isHead(int at, int end) throws IOException {
    if (end - at >= Integer.BYTES && !frame.lengthFits(in, at)) {
      throw new IOException("wrong reply: a frame of " + in.getInt(at) + " bytes");
    }
    if (end > at && underWay() == 0) {
      throw new IOException("wrong reply: nothing was asked");
    }
    return end - at >= frame.headBytes();
  }

  private static void check(String fault) throws IOException {
    if (fault != null) {
      throw new IOException("wrong reply: " + fault);
    }
  }
}
