package dev.ringside.thrift;

import java.util.Arrays;
import java.util.List;
import org.apache.thrift.transport.TFastFramedTransport;
import org.apache.thrift.transport.TFramedTransport;
import org.apache.thrift.transport.TTransport;
import org.apache.thrift.transport.TTransportFactory;

/** Framing factories for the tests: here of libthrift 0.9.2. */
final class VersionedFraming {
  private VersionedFraming() {}

  /** One that is not exactly libthrift's, and so must be asked for each transport. */
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

  /** The frame limit that every transport of the process has unless told otherwise. */
  static int limitOfTheProcess() {
    return 0;
  }
}
