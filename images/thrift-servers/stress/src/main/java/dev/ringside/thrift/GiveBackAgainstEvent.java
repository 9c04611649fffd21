package dev.ringside.thrift;

import dev.ringside.thrift.internal.loop.Ownership;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * A worker gives a connection back while its loop finds it ready: exactly one of them must continue
 * with it.
 */
@JCStressTest
@Outcome(
    id = "true, false",
    expect = Expect.ACCEPTABLE,
    desc = "back before the event: the loop serves it")
@Outcome(
    id = "false, true",
    expect = Expect.ACCEPTABLE,
    desc = "unwatched first: the worker tells the loop")
@Outcome(
    id = "true, true",
    expect = Expect.FORBIDDEN,
    desc = "unwatched and given back: nobody looks again")
@Outcome(id = "false, false", expect = Expect.FORBIDDEN, desc = "neither back nor unwatched")
@State
public class GiveBackAgainstEvent {
  private final Ownership ownership = new Ownership();

  public GiveBackAgainstEvent() {
    ownership.take();
  }

  @Actor
  public void worker(ZZ_Result result) {
    result.r1 = ownership.giveBackWatched();
  }

  @Actor
  public void loop(ZZ_Result result) {
    result.r2 = ownership.markUnwatched();
  }
}
