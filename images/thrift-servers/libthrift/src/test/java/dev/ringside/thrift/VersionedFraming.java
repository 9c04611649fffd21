package dev.ringside.thrift;

import java.util.Arrays;
import java.util.List;
import org.apache.thrift.TConfiguration;
import org.apache.thrift.transport.TTransport;
import org.apache.thrift.transport.TTransportException;
import org.apache.thrift.transport.TTransportFactory;
import org.apache.thrift.transport.layered.TFastFramedTransport;
import org.apache.thrift.transport.layered.TFramedTransport;

/** Framing factories for the tests: here of the newest libthrift. */
final class VersionedFraming {
  private VersionedFraming() {}

  /** One that is not exactly libthrift's, and so must be asked for each transport. */
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

  /** The frame limit that every transport of the process has unless told otherwise. */
  static int limitOfTheProcess() {
    return TConfiguration.DEFAULT.getMaxFrameSize();
  }
}
