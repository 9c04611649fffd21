package dev.ringside.http.handoff;

import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Creates hand-offs by the names that the chart uses. */
public final class HandOffs {
  /** The variant of the publication that the store reproduces. */
  public static final String ARRAY_QUEUE = "arrayqueue";

  static final String LINKED_QUEUE = "linkedqueue";
  static final String SYNCHRONOUS = "synchronous";
  static final String FORK_JOIN = "forkjoin";

  /** Needs Java 21 or newer. */
  public static final String VIRTUAL = "virtual";

  static final String DISRUPTOR = "disruptor";
  static final String INLINE = "inline";

  /** All types. */
  public static final List<String> TYPES =
      List.of(ARRAY_QUEUE, LINKED_QUEUE, SYNCHRONOUS, FORK_JOIN, VIRTUAL, DISRUPTOR, INLINE);

  private HandOffs() {}

  /**
   * Creates a hand-off and starts its threads.
   *
   * @param workers threads that answer, for types with their own threads
   * @param capacity requests that may wait, for types with a queue
   */
  public static HandOff of(String type, int workers, int capacity) {
    return switch (type) {
      case ARRAY_QUEUE -> PoolHandOff.refusing(type, new ArrayBlockingQueue<>(capacity), workers);
      case LINKED_QUEUE -> PoolHandOff.refusing(type, new LinkedBlockingQueue<>(capacity), workers);
      case SYNCHRONOUS -> PoolHandOff.callerRuns(type, workers);
      case FORK_JOIN -> new ForkJoinHandOff(workers, capacity);
      case VIRTUAL -> new VirtualHandOff(capacity);
      case DISRUPTOR -> new DisruptorHandOff(workers, capacity);
      case INLINE -> new InlineHandOff();
      default -> throw new IllegalArgumentException("no hand-off is named " + type);
    };
  }
}
