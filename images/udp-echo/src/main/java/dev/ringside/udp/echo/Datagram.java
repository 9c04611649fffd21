package dev.ringside.udp.echo;

import java.net.SocketAddress;
import java.nio.ByteBuffer;

/**
 * Holds a datagram and its sender. Slots of rings and pools are reused. The text is always between
 * the buffer's position and limit, so bytes of earlier datagrams are never visible.
 */
final class Datagram {
  /** Size of a slot, which is the longest text that is answered. */
  static final int MAX_BYTES = 1024;

  // Has one more byte than a text may have, to detect longer texts: the kernel truncates them
  // silently.
  private final ByteBuffer text;
  private SocketAddress peer;

  /** Creates a slot outside the heap, which avoids a copy to receive or send. */
  Datagram() {
    this(ByteBuffer.allocateDirect(MAX_BYTES + 1));
  }

  private Datagram(ByteBuffer text) {
    this.text = text;
  }

  /** Returns a copy in the heap with the size of its text. The garbage collector frees it. */
  static Datagram onHeap(Datagram other) {
    Datagram copy = new Datagram(ByteBuffer.allocate(other.text.remaining()));
    copy.copy(other);
    return copy;
  }

  /** Returns the text, from position to limit. */
  ByteBuffer text() {
    return text;
  }

  /** Returns the sender, which gets the answer. */
  SocketAddress peer() {
    return peer;
  }

  void from(SocketAddress sender) {
    peer = sender;
  }

  /** Replaces text and sender by those of another datagram. Costs a copy of the text. */
  void copy(Datagram other) {
    text.clear();
    text.put(other.text.duplicate());
    text.flip();
    peer = other.peer;
  }
}
