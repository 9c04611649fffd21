package dev.ringside.thrift;

import org.apache.thrift.protocol.TMessageType;

/** Classifies a reply by its first bytes. */
enum ReplyKind {
  /** A result, or a reply that cannot be classified, such as JSON. */
  RESULT,
  /** An exception that the interface declares. */
  DECLARED,
  /** A {@code TApplicationException}: the request could not be decoded, or its handler failed. */
  FAILURE;

  private static final byte STRICT_BINARY = (byte) 0x80;
  private static final byte COMPACT = (byte) 0x82;

  /**
   * Classifies the message {@code bytes[from, to)} without decoding it: in the struct of a reply,
   * field 0 is the result and any other an exception. Costs some 10 ns.
   */
  static ReplyKind of(MessageHeader header, byte[] bytes, int from, int to) {
    header.parse(bytes, from, to);
    int at = header.headerEnd();
    if (at == from || at >= to) {
      return RESULT;
    }
    boolean compact = bytes[from] == COMPACT;
    if (type(header, bytes, from) == TMessageType.EXCEPTION) {
      return FAILURE;
    }
    return (compact ? compactField(bytes, at, to) : binaryField(bytes, at, to)) == 0
        ? RESULT
        : DECLARED;
  }

  private static int type(MessageHeader header, byte[] bytes, int from) {
    switch (bytes[from]) {
      case STRICT_BINARY:
        return bytes[from + 3];
      case COMPACT:
        return bytes[from + 1] >> 5 & 7;
      default:
        return bytes[header.nameTo()];
    }
  }

  // byte type, i16 number; the type 0 ends the struct
  private static int binaryField(byte[] bytes, int at, int to) {
    return bytes[at] == 0 || to - at < 3 ? 0 : bytes[at + 1] << 8 | bytes[at + 2] & 0xff;
  }

  // 4 bits by how much the number is more than 0, 4 bits type; if they are 0, the number follows
  private static int compactField(byte[] bytes, int at, int to) {
    int more = bytes[at] >> 4 & 0xf;
    return more != 0 || bytes[at] == 0 || to - at < 2 ? more : bytes[at + 1];
  }
}
