package dev.ringside.thrift;

/** What serving a connection has come to; the thread that served it decides what that means. */
enum Outcome {
  /** Everything received is answered. To be served again when there are bytes. */
  IDLE,
  /** There may be more to read; others should have their turn first. */
  MORE,
  /** The next request is expected to block: for a worker. */
  HAND_OFF,
  /** The client does not take the replies. To be served again when it does. */
  WRITE_BLOCKED,
  /** All read memory is used up. To be served again when there is some. */
  STARVED,
  /** To be closed. */
  CLOSED
}
