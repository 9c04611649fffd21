package dev.ringside.thrift;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * All event loops of a server, of which the first few are in use: they share its connections. Made
 * by one thread before the others know of it; from then on for any thread.
 */
final class EventLoops {
  private final List<EventLoop> all = new ArrayList<>();
  private final AtomicInteger givingNoMore = new AtomicInteger();
  private volatile int inUse = 1;

  /** Makes the loops, of which one is in use. */
  void open(TDisruptorServer server, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      all.add(new EventLoop(server));
    }
  }

  /** Gives back what the loops have of the system, where nobody has led them and nobody will. */
  void abandon() throws IOException {
    for (EventLoop loop : all) {
      loop.abandon();
    }
  }

  int size() {
    return all.size();
  }

  EventLoop get(int index) {
    return all.get(index);
  }

  void forEach(Consumer<EventLoop> action) {
    all.forEach(action);
  }

  /** How many are in use. */
  int inUse() {
    return inUse;
  }

  /** Has connections served by that many loops; those that are out of use give theirs away. */
  void use(int count) {
    boolean changed = count != inUse;
    inUse = count;
    for (int i = 0; i < all.size(); i++) {
      EventLoop loop = all.get(i);
      if (changed ? loop.load() > shareOf(loop) : i >= count && loop.load() > 0) {
        loop.rebalance();
      }
    }
  }

  /** How many connections the loop may keep. */
  int shareOf(EventLoop loop) {
    int count = inUse;
    if (all.indexOf(loop) >= count) {
      return 0;
    }
    int connections = all.stream().mapToInt(EventLoop::load).sum();
    return (connections + count - 1) / count;
  }

  /** Of the loops in use, the one with the fewest connections. */
  EventLoop leastLoaded() {
    EventLoop least = all.get(0);
    for (int i = 1; i < inUse; i++) {
      if (all.get(i).load() < least.load()) {
        least = all.get(i);
      }
    }
    return least;
  }

  /** The leader of one more loop has seen the stop: it gives no connection to another any more. */
  void givesNoMore() {
    givingNoMore.incrementAndGet();
  }

  /**
   * Whether no loop gives a connection to another any more. One that ended before could be given
   * one, and would close it with replies unsent.
   */
  boolean giveNoMore() {
    return givingNoMore.get() >= all.size();
  }

  /** How many connections each loop has. */
  List<Integer> loads() {
    return all.stream().map(EventLoop::load).collect(Collectors.toList());
  }
}
