package dev.ringside.thrift;

import java.util.Arrays;
import java.util.List;
import org.apache.thrift.transport.TFastFramedTransport;
import org.apache.thrift.transport.TFramedTransport;
import org.apache.thrift.transport.TTransport;
import org.apache.thrift.transport.TTransportFactory;

/** Creates framing factories for tests: here of libthrift 0.9.2. */
final class VersionedFraming {
  private VersionedFraming() {}

  /** Returns a subclass of libthrift's factory, which the server must call for each transport. */
  static TTransportFactory subclass(int maxFrameBytes) {
    return new TFramedTransport.Factory() {

      @Override
      public TTransport getTransport(TTransport inner) {
        return new TFramedTransport(inner, maxFrameBytes);
      }
    };
  }

  static List<TTransportFactory> limitedTo(int maxFrameBytes) {
    return Arrays.asList(
        new TFramedTransport.Factory(maxFrameBytes),
        new TFastFramedTransport.Factory(1024, maxFrameBytes));
  }

  /** Returns 0, because this version has no default frame limit. */
  static int limitOfTheProcess() {
    return 0;
  }
}
