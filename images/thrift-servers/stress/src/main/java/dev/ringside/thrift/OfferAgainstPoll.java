package dev.ringside.thrift;

import dev.ringside.thrift.internal.work.HandOffRing;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * One thread polls a full ring while another one offers: no entry is lost, duplicated or
 * overwritten. Each entry is a different object, as in the server, where an entry that is being
 * taken cannot be offered at the same time.
 */
@JCStressTest
@Outcome(id = "0, 3", expect = Expect.ACCEPTABLE, desc = "there was no room yet")
@Outcome(id = "1, 7", expect = Expect.ACCEPTABLE, desc = "there was room")
@Outcome(id = ".*", expect = Expect.FORBIDDEN, desc = "an entry is lost or doubled")
@State
public class OfferAgainstPoll {
  private final HandOffRing<Integer> ring = new HandOffRing<>(2);
  private int taken;

  public OfferAgainstPoll() {
    ring.offer(1);
    ring.offer(2);
  }

  @Actor
  public void publisher(II_Result result) {
    result.r1 = ring.offer(4) ? 1 : 0;
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
