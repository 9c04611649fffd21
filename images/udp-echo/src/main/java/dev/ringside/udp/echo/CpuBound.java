package dev.ringside.udp.echo;

import dev.ringside.cpu.CpuWork;
import java.nio.ByteBuffer;

/** Uses CPU time, then converts the text to capitals: a request with some business logic. */
final class CpuBound implements Handler {
  private final CpuWork work;
  private final Handler then = new UpperCase();

  CpuBound(CpuWork work) {
    this.work = work;
  }

  @Override
  public void handle(ByteBuffer text) {
    if (work.run(text.remaining()) == 0) {
      throw new IllegalStateException("xorshift never gives 0");
    }
    then.handle(text);
  }
}
