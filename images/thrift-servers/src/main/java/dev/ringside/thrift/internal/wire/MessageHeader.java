package dev.ringside.thrift.internal.wire;

/**
 * Finds a message's name in a frame without decoding it, for the protocols that are recognizable by
 * their first bytes: binary (strict or not), compact and JSON. The name is the method, or {@code
 * service:method} if multiplexed. It selects the method's habits before the call. With any other
 * protocol there is no name, and all methods share their habits.
 *
 * <p>Not thread-safe; one object is reused for many frames.
 */
public final class MessageHeader {
  private static final byte[] NOTHING = {};
  private static final int MAX_NAME = 256;
  private static final int MAX_VARINT = 5;

  /** Only while it parses: a thread must not keep its last frame. */
  private byte[] bytes = NOTHING;

  private int nameFrom;
  private int nameTo;
  private int headerEnd;

  /** Parses the frame {@code bytes[from, to)}. */
  public void parse(byte[] bytes, int from, int to) {
    none(from);
    if (to - from < 4) {
      return;
    }
    this.bytes = bytes;
    byte first = bytes[from];
    if (first == (byte) 0x80) {
      strictBinary(from, to);
    } else if (first == (byte) 0x82) {
      compact(from, to);
    } else if (first == '[') {
      json(from, to);
    } else if (first == 0) {
      oldBinary(from, to);
    }
    this.bytes = NOTHING;
  }

  /** Returns where the name begins; equal to {@link #nameTo()} if there is none. */
  public int nameFrom() {
    return nameFrom;
  }

  public int nameTo() {
    return nameTo;
  }

  /** Returns where the arguments begin, or the frame's beginning if that is not known. */
  public int headerEnd() {
    return headerEnd;
  }

  private void none(int from) {
    nameFrom = from;
    nameTo = from;
    headerEnd = from;
  }

  private void name(int from, long length, int to, int trailer) {
    if (length >= 0 && length <= MAX_NAME && from + length + trailer <= to) {
      nameFrom = from;
      nameTo = from + (int) length;
      headerEnd = nameTo + trailer;
    }
  }

  // i32 version and type, i32 length, name, i32 sequence id
  private void strictBinary(int from, int to) {
    if (to - from >= 12 && bytes[from + 1] == 1) {
      name(from + 8, Frames.length(bytes, from + 4), to, 4);
    }
  }

  // i32 length, name, byte type, i32 sequence id
  private void oldBinary(int from, int to) {
    if (to - from >= 9) {
      name(from + 4, Frames.length(bytes, from), to, 5);
    }
  }

  // byte protocol, byte version and type, varint sequence id, varint length, name
  private void compact(int from, int to) {
    int at = skipVarint(from + 2, to);
    if (at < 0) {
      return;
    }
    long length = 0;
    for (int i = 0; i < MAX_VARINT && at < to; i++) {
      byte b = bytes[at++];
      length |= (long) (b & 0x7f) << (7 * i);
      if (b >= 0) {
        name(at, length, to, 0);
        return;
      }
    }
  }

  private int skipVarint(int from, int to) {
    int at = from;
    for (int i = 0; i < MAX_VARINT && at < to; i++) {
      if (bytes[at++] >= 0) {
        return at;
      }
    }
    return -1;
  }

  // [1,"name",type,sequence id,...
  private void json(int from, int to) {
    int at = from;
    int last = Math.min(to, from + MAX_NAME);
    while (at < last && bytes[at] != '"') {
      at++;
    }
    int begin = at + 1;
    int end = begin;
    while (end < last && bytes[end] != '"') {
      end++;
    }
    if (end < last) {
      nameFrom = begin;
      nameTo = end;
      // Whitespace and escapes make the header's end uncertain: nothing of it is shared.
    }
  }
}
