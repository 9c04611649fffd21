package dev.ringside.http.lsm;

import java.util.concurrent.atomic.LongAdder;

/** Counts a store's operations since its start. */
final class Figures {
  final LongAdder flushes = new LongAdder();
  final LongAdder compactions = new LongAdder();
  final LongAdder syncs = new LongAdder();
  final LongAdder logBytes = new LongAdder();
  final LongAdder tableBytes = new LongAdder();
  final LongAdder busy = new LongAdder();
  final LongAdder filtered = new LongAdder();
}
