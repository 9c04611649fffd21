package dev.ringside.bench.wire;

import java.util.Map;
import java.util.OptionalLong;

/**
 * Holds the allocated bytes of all threads of a process at one time. The count of a thread is lost
 * when it ends, so there is a difference of two times only if none has ended.
 *
 * @param byThread bytes so far, by the id of each live thread
 * @param started threads started so far, including those that ended
 */
record Allocations(Map<Long, Long> byThread, long started) {
  /** Returns the bytes allocated since an earlier time, or empty if a thread has ended since. */
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
