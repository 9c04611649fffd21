package dev.ringside.thrift.internal.wire;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Holds the replies that one thread has written and not sent yet, each after its length. Belongs to
 * one thread and is lent to the connection that the thread serves. What does not fit in the
 * thread's own piece of memory is written to further pieces of the same size.
 */
public final class ReplyBuffer {
  private static final int HEADER = 4;
  private static final byte[] NO_LENGTH_YET = new byte[HEADER];
  private static final ByteBuffer TAKEN = ByteBuffer.allocate(0);

  /** How many bytes of further pieces a thread keeps: new ones cost more than what they hold. */
  private static final long MOST_KEPT = Math.min(1 << 20, Runtime.getRuntime().maxMemory() / 512);

  private final ByteBuffer own;
  private final ByteBuffer[] alone = new ByteBuffer[1];

  /** The same memory as {@link #own}, for the thread that sends what is published. */
  private final ByteBuffer published;

  /** The pieces after {@link #own}; all before the last one are full. */
  private final List<ByteBuffer> more = new ArrayList<>();

  /** Empty pieces that were used before. */
  private final ArrayDeque<ByteBuffer> kept = new ArrayDeque<>();

  /** How many more may be made in direct memory. */
  private int directPieces;

  /** The last piece. */
  private ByteBuffer current;

  /** How many bytes the pieces before it have. */
  private int before;

  /** Where the current frame begins; its length is not known yet. */
  private int frame;

  /** How many bytes another thread has sent. */
  private int sent;

  /** How many bytes another thread may send on behalf of this one, which is late. */
  private volatile int sendable;

  /**
   * Creates a thread's buffer.
   *
   * @param bytes size of each piece
   * @param directPieces how many of them may be made in direct memory, and are kept
   */
  public ReplyBuffer(int bytes, int directPieces) {
    this.directPieces = directPieces;
    this.own = ByteBuffer.allocate(bytes);
    this.published = own.duplicate();
    this.current = own;
  }

  /** Makes room for the length of a frame that begins here. */
  public void beginFrame() {
    frame = size();
    write(NO_LENGTH_YET, 0, HEADER);
  }

  /** Appends to the frame. */
  public void write(byte[] from, int offset, int length) {
    int at = offset;
    int rest = length;
    while (rest > current.remaining()) {
      int count = current.remaining();
      current.put(from, at, count);
      at += count;
      rest -= count;
      addPiece();
    }
    current.put(from, at, rest);
  }

  private void addPiece() {
    int full = Math.addExact(before, current.capacity());
    ByteBuffer next = kept.isEmpty() ? newPiece() : kept.pop();
    more.add(next);
    before = full;
    current = next;
  }

  /** Makes it in direct memory as long as it may: from there, sockets take it with a copy less. */
  private ByteBuffer newPiece() {
    if (directPieces > 0) {
      try {
        ByteBuffer piece = ByteBuffer.allocateDirect(own.capacity());
        directPieces--;
        return piece;
      } catch (OutOfMemoryError e) {
        // Others use it up. Java has waited for some of it, which must not happen again.
        directPieces = 0;
      }
    }
    return ByteBuffer.allocate(own.capacity());
  }

  /** Reports whether the frame contains more than its length. */
  public boolean frameHasBytes() {
    return size() > frame + HEADER;
  }

  /** Ends the frame: writes its length, or removes the frame if it is empty. */
  public void endFrame() {
    if (!frameHasBytes()) {
      rewind(frame);
      return;
    }
    int length = size() - frame - HEADER;
    if (frame + HEADER <= own.capacity()) {
      own.putInt(frame, length);
    } else {
      for (int i = 0; i < HEADER; i++) {
        int at = frame + i;
        piece(at / own.capacity()).put(at % own.capacity(), (byte) (length >> 24 - 8 * i));
      }
    }
    frame = size();
  }

  private ByteBuffer piece(int index) {
    return index == 0 ? own : more.get(index - 1);
  }

  private void keep(ByteBuffer piece) {
    boolean few = (kept.size() + 1L) * piece.capacity() <= MOST_KEPT;
    if (piece.isDirect() || few && piece.capacity() > 0) {
      piece.clear();
      kept.push(piece);
    }
  }

  /** Removes everything that was written since {@link #size()} was {@code mark}. */
  public void rewind(int mark) {
    while (before > mark) {
      keep(more.remove(more.size() - 1));
      current = piece(more.size());
      before -= own.capacity();
    }
    current.position(mark - before);
    frame = mark;
  }

  /**
   * Publishes the current content to other threads. It stays unchanged, whatever is written after
   * it, until this thread drops or clears it. Replies of more than one piece are sent at once and
   * never published.
   */
  public void publish() {
    int size = more.isEmpty() ? size() : 0;
    if (sendable != size) {
      sendable = size;
    }
  }

  /** Returns how many bytes another thread may send. */
  public int sendable() {
    return sendable;
  }

  /** Returns what another thread may send. For that thread. */
  public ByteBuffer published() {
    published.clear();
    published.limit(sendable);
    return published;
  }

  /** Records how many bytes another thread has sent. */
  public void drop(int bytes) {
    sent = bytes;
    sendable = 0;
  }

  /** Returns how many bytes were written, including those that another thread has sent. */
  public int size() {
    return before + current.position();
  }

  public boolean isEmpty() {
    return size() == sent;
  }

  /** Reports whether the thread's own piece is used up, so that replies should be sent. */
  public boolean isFull() {
    return size() >= own.capacity();
  }

  /** Returns all pieces, ready to be sent. They must be cleared before the next reply. */
  public ByteBuffer[] toSend() {
    ByteBuffer[] pieces = more.isEmpty() ? alone : new ByteBuffer[1 + more.size()];
    for (int i = 0; i < pieces.length; i++) {
      pieces[i] = piece(i);
      pieces[i].flip();
    }
    own.position(sent);
    return pieces;
  }

  /** Gives a piece away, with what it contains. Not the thread's own, and none in direct memory. */
  public void take(int index) {
    more.set(index - 1, TAKEN);
  }

  /** Empties the buffer. */
  public void clear() {
    more.forEach(this::keep);
    more.clear();
    own.clear();
    current = own;
    before = 0;
    frame = 0;
    sent = 0;
    if (sendable != 0) {
      sendable = 0;
    }
  }
}
