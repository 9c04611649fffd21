package dev.ringside.thrift;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Is the core of parking and publishing with a deliberate error: the publisher reads the roster's
 * state without its lock. This test must fail; if it passes, this machine or harness does not show
 * the effect of a missing lock, and the success of the other tests proves little.
 */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.FORBIDDEN, desc = "the planted fault is found")
@Outcome(id = ".*", expect = Expect.ACCEPTABLE, desc = "one of both sees the other")
@State
public class PlantedMissingLock {
  private final AtomicInteger work = new AtomicInteger();
  private final AtomicInteger parked = new AtomicInteger();

  @Actor
  public void publisher(II_Result result) {
    work.lazySet(1);
    result.r1 = parked.get();
  }

  @Actor
  public void worker(II_Result result) {
    parked.getAndAdd(1);
    result.r2 = work.get();
  }
}
