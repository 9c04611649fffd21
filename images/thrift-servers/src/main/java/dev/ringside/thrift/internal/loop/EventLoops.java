package dev.ringside.thrift.internal.loop;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/**
 * Holds all event loops of a server. The first few are in use and share its connections. Set up by
 * one thread before others see it; thread-safe from then on.
 */
public final class EventLoops {
  private final List<EventLoop> all = new ArrayList<>();
  private final AtomicInteger givingNoMore = new AtomicInteger();
  private final AtomicInteger ended = new AtomicInteger();
  private final IntSupplier connections;
  private final Runnable allEnded;
  private volatile int inUse = 1;

  /**
   * Creates an empty list of loops, one of which will be in use.
   *
   * @param connections returns how many connections all loops have, with those on their way
   * @param allEnded runs when the last loop has ended
   */
  public EventLoops(IntSupplier connections, Runnable allEnded) {
    this.connections = connections;
    this.allEnded = allEnded;
  }

  /** Adds a loop, before other threads see them. */
  public void add(EventLoop loop) {
    all.add(loop);
  }

  /** Releases the loops' selectors, if no thread has led the loops or will lead them. */
  public void abandon() throws IOException {
    for (EventLoop loop : all) {
      loop.selector.close();
    }
  }

  public int size() {
    return all.size();
  }

  public EventLoop get(int index) {
    return all.get(index);
  }

  public void forEach(Consumer<EventLoop> action) {
    all.forEach(action);
  }

  /** Makes all leaders check their queues. Needs no memory. */
  public void wakeAll() {
    for (int i = 0; i < all.size(); i++) {
      all.get(i).wakeUp();
    }
  }

  /** Returns how many are in use. */
  public int inUse() {
    return inUse;
  }

  /** Sets how many loops serve connections; loops that go out of use give theirs away. */
  public void use(int count) {
    boolean changed = count != inUse;
    inUse = count;
    for (int i = 0; i < all.size(); i++) {
      EventLoop loop = all.get(i);
      if (changed ? loop.load() > shareOf(loop) : i >= count && loop.load() > 0) {
        loop.rebalance();
      }
    }
  }

  /** Reports whether a loop should have no connections. */
  public boolean isOutOfUse(EventLoop loop) {
    return all.indexOf(loop) >= inUse;
  }

  /** Returns how many connections a loop may keep. */
  public int shareOf(EventLoop loop) {
    int count = inUse;
    if (all.indexOf(loop) >= count) {
      return 0;
    }
    // Not the sum of the loops' loads: one that moves meanwhile could count twice.
    return (connections.getAsInt() + count - 1) / count;
  }

  /** Returns the loop in use with the fewest connections. */
  public EventLoop leastLoaded() {
    EventLoop least = all.get(0);
    for (int i = 1; i < inUse; i++) {
      if (all.get(i).load() < least.load()) {
        least = all.get(i);
      }
    }
    return least;
  }

  /**
   * Records that one more leader has seen the stop and gives no more connections to other loops.
   */
  public void givesNoMore() {
    givingNoMore.incrementAndGet();
  }

  /**
   * Reports whether no loop gives connections to others any more. A loop that ended earlier could
   * still receive one, and would close it with unsent replies.
   */
  public boolean giveNoMore() {
    return givingNoMore.get() >= all.size();
  }

  /** Records that a loop has ended, with all its connections. */
  public void ended() {
    if (ended.incrementAndGet() == all.size()) {
      allEnded.run();
    }
  }
}
