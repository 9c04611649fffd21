package dev.ringside.http.handoff;

import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** The hand-offs by the names that the chart gives them. */
public final class HandOffs {
  /** As published. */
  public static final String ARRAY_QUEUE = "arrayqueue";

  static final String LINKED_QUEUE = "linkedqueue";
  static final String SYNCHRONOUS = "synchronous";
  static final String FORK_JOIN = "forkjoin";

  /** Needs a Java 21. */
  public static final String VIRTUAL = "virtual";

  static final String DISRUPTOR = "disruptor";
  static final String INLINE = "inline";

  /** All of them. */
  public static final List<String> TYPES =
      List.of(ARRAY_QUEUE, LINKED_QUEUE, SYNCHRONOUS, FORK_JOIN, VIRTUAL, DISRUPTOR, INLINE);

  private HandOffs() {}

  /**
   * Makes one and starts its threads.
   *
   * @param workers threads that answer, where the kind has threads of its own
   * @param capacity requests that may wait, where the kind lets them
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
