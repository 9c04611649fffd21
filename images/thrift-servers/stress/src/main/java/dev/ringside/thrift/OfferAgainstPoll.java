package dev.ringside.thrift;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A full ring, one who takes and one who offers: nothing is lost, doubled or overwritten. */
@JCStressTest
@Outcome(id = "0, 2", expect = Expect.ACCEPTABLE, desc = "there was no room yet")
@Outcome(id = "1, 3", expect = Expect.ACCEPTABLE, desc = "there was room")
@Outcome(id = ".*", expect = Expect.FORBIDDEN, desc = "an entry is lost or doubled")
@State
public class OfferAgainstPoll {
  private final HandOffRing<Integer> ring = new HandOffRing<>(2);
  private int taken;

  public OfferAgainstPoll() {
    ring.offer(1);
    ring.offer(1);
  }

  @Actor
  public void publisher(II_Result result) {
    result.r1 = ring.offer(1) ? 1 : 0;
  }

  @Actor
  public void other() {
    taken = ring.poll();
  }

  @Arbiter
  public void look(II_Result result) {
    int sum = taken;
    for (Integer entry = ring.poll(); entry != null; entry = ring.poll()) {
      sum += entry;
    }
    result.r2 = sum;
  }
}
