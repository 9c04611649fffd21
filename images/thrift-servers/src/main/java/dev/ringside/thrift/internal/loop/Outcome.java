package dev.ringside.thrift.internal.loop;

/** Lists the outcomes of serving a connection. The thread that served it acts on them. */
public enum Outcome {
  /** Everything received is answered. Serve again when there are bytes. */
  IDLE,
  /** There may be more to read. Serve again after other connections had their turn. */
  MORE,
  /** The next request is expected to block. A worker must run it. */
  HAND_OFF,
  /** The client does not read its replies. Serve again when it does. */
  WRITE_BLOCKED,
  /** Its frame, or its next reply, needs more memory than there is. Serve again when there is. */
  STARVED,
  /** The connection must be closed. */
  CLOSED
}
