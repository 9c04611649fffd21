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
 * A worker begins to linger while another thread publishes, and no more threads may be started: the
 * watchdog must be woken, or the worker must not linger.
 */
@JCStressTest
@Outcome(
    id = "0",
    expect = Expect.FORBIDDEN,
    desc = "the work waits for a worker that lingers, and nobody knows")
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "the worker does not linger")
@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "it lingers, and the watchdog looks")
@State
public class LingerAgainstPublish {
  private final Bench bench = new Bench(1);

  @Actor
  public void publisher() {
    bench.publish();
  }

  @Actor
  public void other() {
    bench.roster.linger(bench.duty);
  }

  @Arbiter
  public void look(I_Result result) {
    result.r1 = bench.duty.state() != Duty.State.LINGERING ? 1 : bench.watched.get() > 0 ? 2 : 0;
  }
}
