package dev.ringside.bench.wire;

import java.util.Map;
import java.util.OptionalLong;

/**
 * What all threads of a process had allocated at one time. A thread that ends takes its count
 * along, so between two times there is a figure only if none has ended.
 *
 * @param byThread bytes so far, by the id of a thread that lives
 * @param started threads started so far, whether they live or not
 */
record Allocations(Map<Long, Long> byThread, long started) {
  /** Bytes allocated since then; empty if a thread has ended meanwhile. */
  OptionalLong since(Allocations before) {
    long news = byThread.keySet().stream().filter(id -> !before.byThread.containsKey(id)).count();
    if (!byThread.keySet().containsAll(before.byThread.keySet())
        || news != started - before.started) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(
        byThread.entrySet().stream()
            .mapToLong(of -> of.getValue() - before.byThread.getOrDefault(of.getKey(), 0L))
            .sum());
  }
}
