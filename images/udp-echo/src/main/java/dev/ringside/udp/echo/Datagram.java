package dev.ringside.udp.echo;

import java.net.SocketAddress;
import java.nio.ByteBuffer;

/**
 * A datagram on its way through the server, and whom it came from. Slots of rings and pools are
 * made once and used again; the text is always what lies between the buffer's position and limit,
 * so that nothing of an earlier datagram is ever seen.
 */
final class Datagram {
  /** A slot's size, and so the longest text that is answered. */
  static final int MAX_BYTES = 1024;

  // One byte more than a text may have: by it a longer one is noticed, which the kernel would cut
  // without a word.
  private final ByteBuffer text;
  private SocketAddress peer;

  /** A slot, outside the heap: receiving and sending need no further copy. */
  Datagram() {
    this(ByteBuffer.allocateDirect(MAX_BYTES + 1));
  }

  private Datagram(ByteBuffer text) {
    this.text = text;
  }

  /** A copy that the collector frees: no slot, and no longer than its text. */
  static Datagram onHeap(Datagram other) {
    Datagram copy = new Datagram(ByteBuffer.allocate(other.text.remaining()));
    copy.copy(other);
    return copy;
  }

  /** The text: from position to limit. */
  ByteBuffer text() {
    return text;
  }

  /** Who sent it, and is to be answered. */
  SocketAddress peer() {
    return peer;
  }

  void from(SocketAddress sender) {
    peer = sender;
  }

  /** Takes over another's text and peer, in place of its own. Costs a copy of the text. */
  void copy(Datagram other) {
    text.clear();
    text.put(other.text.duplicate());
    text.flip();
    peer = other.peer;
  }
}
