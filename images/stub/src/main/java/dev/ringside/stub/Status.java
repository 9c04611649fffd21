package dev.ringside.stub;

/** The result of a call. Its ordinal is the value on the wire. */
public enum Status {
  /** The call succeeded. */
  OK,
  /** The key does not exist. */
  NOT_FOUND,
  /** The key exists. */
  EXISTS;

  private static final Status[] ALL = values();

  /** Returns the status of that value on the wire; null if there is none. */
  static Status of(int code) {
    return code >= 0 && code < ALL.length ? ALL[code] : null;
  }
}
