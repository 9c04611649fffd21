package dev.ringside.cassandra;

import org.apache.thrift.TException;
import org.apache.thrift.TProcessor;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TProtocolFactory;

/**
 * Answers each connection later by a share of the time that it takes without that, for tests of
 * what measures: clients that ask again once they are answered must be found slower by as much,
 * whatever else the time goes to. See {@link HeldReplies}.
 *
 * <p>For servers with a thread per connection: it waits in the connection's thread, and where
 * threads are shared, others would wait with it and the server be slower by more than the share.
 * Each such thread runs one connection after the other, and hands in the same protocol for all
 * calls of one.
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

  /** The processor itself if the share is none. */
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

  /** A connection's way out, with the replies held. */
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
