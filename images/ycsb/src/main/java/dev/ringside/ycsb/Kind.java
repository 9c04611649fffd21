package dev.ringside.ycsb;

/** What an operation is in the log's tags. */
enum Kind {
  WRITE,
  READ,
  UPDATE,
  SCAN
}
