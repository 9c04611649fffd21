package dev.ringside.cassandra;

import java.io.ByteArrayOutputStream;
import org.apache.thrift.TException;
import org.apache.thrift.TProcessor;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TProtocolFactory;
import org.apache.thrift.transport.TMemoryBuffer;
import org.apache.thrift.transport.TMemoryInputTransport;

/**
 * Runs a share of the calls twice, for tests of what measures: a server that does so many percent
 * more of the same work must be found slower by as much. Such a call is decoded, executed and its
 * answer encoded, that answer is thrown away, and then all of it is done again for the client. What
 * lies outside the processor, selectors and sockets, is not repeated.
 *
 * <p>Safe for many threads, as far as the processor is. A call that is not repeated costs one step
 * of a shared counter.
 */
final class RepeatingProcessor implements TProcessor {
  private static final int ANSWER_BYTES = 512;

  private final TProcessor processor;
  private final TProtocolFactory protocol;
  private final Share share;

  private RepeatingProcessor(TProcessor processor, TProtocolFactory protocol, Share share) {
    this.processor = processor;
    this.protocol = protocol;
    this.share = share;
  }

  /** The processor itself if the share is none. */
  static TProcessor of(TProcessor processor, TProtocolFactory protocol, Share share) {
    return share.isNone() ? processor : new RepeatingProcessor(processor, protocol, share);
  }

  @Override
  public boolean process(TProtocol in, TProtocol out) throws TException {
    if (!share.picksNext()) {
      return processor.process(in, out);
    }
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    processor.process(
        protocol.getProtocol(new RecordingTransport(in.getTransport(), request)),
        protocol.getProtocol(new TMemoryBuffer(ANSWER_BYTES)));
    return processor.process(
        protocol.getProtocol(new TMemoryInputTransport(request.toByteArray())), out);
  }
}
