package dev.ringside.ycsb;

/** Lists the kinds of operations in the log's tags. */
enum Kind {
  WRITE,
  READ,
  UPDATE,
  SCAN
}
