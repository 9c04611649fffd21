package dev.ringside.thrift;

import dev.ringside.thrift.internal.work.HandOffRing;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two threads poll one entry: exactly one of them gets it. */
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "the first has it")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "the second has it")
@Outcome(id = "0, 0", expect = Expect.FORBIDDEN, desc = "it is lost")
@Outcome(id = "1, 1", expect = Expect.FORBIDDEN, desc = "it is taken twice")
@State
public class RingAgainstTwoTakers {
  private final HandOffRing<String> ring = new HandOffRing<>(2);

  public RingAgainstTwoTakers() {
    ring.offer("entry");
  }

  @Actor
  public void publisher(II_Result result) {
    result.r1 = ring.poll() == null ? 0 : 1;
  }

  @Actor
  public void other(II_Result result) {
    result.r2 = ring.poll() == null ? 0 : 1;
  }

  @Arbiter
  public void look(II_Result result) {
    // the two polls have set the result
  }
}
