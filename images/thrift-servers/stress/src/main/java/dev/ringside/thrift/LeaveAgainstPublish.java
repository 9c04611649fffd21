package dev.ringside.thrift;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * The only worker that the limit allows ends while another thread publishes: a new worker must be
 * started.
 */
@JCStressTest
@Outcome(id = "0", expect = Expect.FORBIDDEN, desc = "the work waits and no thread comes")
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "another thread was started")
@State
public class LeaveAgainstPublish {
  private final Bench bench = new Bench(1);

  @Actor
  public void publisher() {
    bench.publish();
  }

  @Actor
  public void other() {
    bench.roster.leave(bench.duty);
  }

  @Arbiter
  public void look(I_Result result) {
    result.r1 = Math.min(1, bench.started.get());
  }
}
