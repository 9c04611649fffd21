package dev.ringside.thrift;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A searching worker finds work while another thread publishes more and relies on the search:
 * another worker must be started for the rest.
 */
@JCStressTest
@Outcome(id = "0", expect = Expect.FORBIDDEN, desc = "the rest waits and nobody was fetched")
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "another thread was started")
@State
public class LookedAgainstPublish {
  private final Bench bench = new Bench(2);

  public LookedAgainstPublish() {
    bench.roster.park(bench.duty);
    bench.publish();
  }

  @Actor
  public void publisher() {
    bench.publish();
  }

  @Actor
  public void other() {
    bench.take();
    bench.roster.hasLooked(bench.duty);
  }

  @Arbiter
  public void look(I_Result result) {
    result.r1 = Math.min(1, bench.started.get());
  }
}
