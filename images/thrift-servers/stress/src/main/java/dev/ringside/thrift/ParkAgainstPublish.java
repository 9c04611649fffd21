package dev.ringside.thrift;

import dev.ringside.thrift.internal.work.Duty;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** A worker parks while another thread publishes: the work must not wait for a parked worker. */
@JCStressTest
@Outcome(
    id = "0",
    expect = Expect.FORBIDDEN,
    desc = "the work waits and nobody was woken or started")
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "the worker saw the work, or was woken")
@State
public class ParkAgainstPublish {
  private final Bench bench = new Bench(1);

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
