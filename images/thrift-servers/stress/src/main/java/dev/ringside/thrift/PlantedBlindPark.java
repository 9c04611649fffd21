package dev.ringside.thrift;

import dev.ringside.thrift.internal.work.Duty;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Is {@link ParkAgainstPublish} with a deliberate error: the worker does not check for work after
 * it is marked as parked. This test must fail; if it passes, the success of the other tests proves
 * nothing.
 */
@JCStressTest
@Outcome(id = "0", expect = Expect.FORBIDDEN, desc = "the planted fault is found")
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "the worker is on its way")
@State
public class PlantedBlindPark {
  private final Bench bench = new Bench(1);

  public PlantedBlindPark() {
    bench.blind = true;
  }

  @Actor
  public void publisher() {
    bench.publish();
  }

  @Actor
  public void other() {
    bench.roster.park(bench.duty);
  }

  @Arbiter
  public void look(I_Result result) {
    result.r1 = bench.duty.state() == Duty.State.PARKED ? 0 : 1;
  }
}
