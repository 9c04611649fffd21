package dev.ringside.stub;

/** A key and its value. The arrays are not copied. */
public final class Record {
  private final byte[] key;
  private final byte[] value;

  /** Creates a record. The arrays are not copied. */
  public Record(byte[] key, byte[] value) {
    this.key = key;
    this.value = value;
  }

  /** Returns the key. */
  public byte[] key() {
    return key;
  }

  /** Returns the value. */
  public byte[] value() {
    return value;
  }
}
