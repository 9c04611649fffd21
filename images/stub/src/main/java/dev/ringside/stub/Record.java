package dev.ringside.stub;

/** A key and its value. The arrays are not copied. */
public final class Record {
  private final byte[] key;
  private final byte[] value;

  /** A record of these very arrays. */
  public Record(byte[] key, byte[] value) {
    this.key = key;
    this.value = value;
  }

  /** The key. */
  public byte[] key() {
    return key;
  }

  /** The value. */
  public byte[] value() {
    return value;
  }
}
