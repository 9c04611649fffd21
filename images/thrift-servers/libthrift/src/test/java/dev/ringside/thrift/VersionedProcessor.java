package dev.ringside.thrift;

import java.util.Collections;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.TBaseAsyncProcessor;
import org.apache.thrift.TException;
import org.apache.thrift.TProcessor;
import org.apache.thrift.protocol.TProtocol;

/**
 * Is a processor for tests that hides the differences between versions of libthrift: here the
 * newest.
 */
abstract class VersionedProcessor implements TProcessor {
  abstract void handle(TProtocol in, TProtocol out) throws TException;

  @Override
  public final void process(TProtocol in, TProtocol out) throws TException {
    handle(in, out);
  }

  static TApplicationException readFailure(TProtocol in) throws TException {
    return TApplicationException.readFrom(in);
  }

  /** Returns a processor of a service that is generated for callbacks. */
  static TProcessor async() {
    return new TBaseAsyncProcessor<Object>(new Object(), Collections.emptyMap());
  }
}
