package dev.ringside.thrift;

import java.util.Arrays;
import java.util.List;
import org.apache.thrift.TConfiguration;
import org.apache.thrift.transport.TTransport;
import org.apache.thrift.transport.TTransportException;
import org.apache.thrift.transport.TTransportFactory;
import org.apache.thrift.transport.layered.TFastFramedTransport;
import org.apache.thrift.transport.layered.TFramedTransport;

/** Creates framing factories for tests: here of the newest libthrift. */
final class VersionedFraming {
  private VersionedFraming() {}

  /** Returns a subclass of libthrift's factory, which the server must call for each transport. */
  static TTransportFactory subclass(int maxFrameBytes) {
    return new TFramedTransport.Factory() {

      @Override
      public TTransport getTransport(TTransport inner) throws TTransportException {
        return new TFramedTransport(inner, maxFrameBytes);
      }
    };
  }

  static List<TTransportFactory> limitedTo(int maxFrameBytes) {
    return Arrays.asList(
        new TFramedTransport.Factory(maxFrameBytes),
        new TFastFramedTransport.Factory(1024, maxFrameBytes));
  }

  /** Returns the default frame limit of all transports of the process. */
  static int limitOfTheProcess() {
    return TConfiguration.DEFAULT.getMaxFrameSize();
  }
}
