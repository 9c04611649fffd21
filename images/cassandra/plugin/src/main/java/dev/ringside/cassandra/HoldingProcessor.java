package dev.ringside.cassandra;

import org.apache.thrift.TException;
import org.apache.thrift.TProcessor;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TProtocolFactory;

/**
 * Delays the answers on each connection by a share of the time that they take without a delay.
 * Tests of the measurement use it: for clients that send the next request after an answer, the
 * server must be measured as slower by that share, wherever the rest of the time is spent. See
 * {@link HeldReplies}.
 *
 * <p>Only for servers with a thread per connection, because it waits in that thread. Where
 * connections share threads, all of them would wait, and the server would be slower by more than
 * the share. Each thread serves one connection after the other, and passes the same protocol object
 * for all calls of a connection.
 */
final class HoldingProcessor implements TProcessor {
  private final TProcessor processor;
  private final TProtocolFactory protocol;
  private final Share share;
  private final ThreadLocal<Held> current = new ThreadLocal<>();

  private HoldingProcessor(TProcessor processor, TProtocolFactory protocol, Share share) {
    this.processor = processor;
    this.protocol = protocol;
    this.share = share;
  }

  /** Returns a processor that delays answers; the given one if the share is zero. */
  static TProcessor of(TProcessor processor, TProtocolFactory protocol, Share share) {
    return share.isNone() ? processor : new HoldingProcessor(processor, protocol, share);
  }

  @Override
  public boolean process(TProtocol in, TProtocol out) throws TException {
    Held held = current.get();
    if (held == null || held.of != out) {
      held = new Held(out);
      current.set(held);
    }
    return processor.process(in, held.out);
  }

  /** The output protocol of a connection, with delays. */
  private final class Held {
    final TProtocol of;
    final TProtocol out;

    Held(TProtocol of) {
      this.of = of;
      this.out =
          protocol.getProtocol(
              new HeldTransport(
                  of.getTransport(),
                  new HeldReplies(share, System::nanoTime, HeldTransport::rest)));
    }
  }
}
