package dev.ringside.stub;

/** How a call ended; its ordinal is the value on the wire. */
public enum Status {
  /** Done. */
  OK,
  /** The key is not there. */
  NOT_FOUND,
  /** The key is there already. */
  EXISTS;

  private static final Status[] ALL = values();

  /** The status of that value on the wire; null if there is none. */
  static Status of(int code) {
    return code >= 0 && code < ALL.length ? ALL[code] : null;
  }
}
