package dev.ringside.thrift.peers;

import com.thinkaurelius.thrift.TDisruptorServer;
import com.thinkaurelius.thrift.util.TBinaryProtocol;
import java.util.concurrent.ThreadPoolExecutor;
import org.apache.thrift.TProcessor;
import org.apache.thrift.server.TServer;
import org.apache.thrift.transport.TNonblockingServerTransport;

/** Builds the published disruptor server, which needs its own classes of protocol and executor. */
final class Published {
  private Published() {}

  /** Returns a server with the options of stock Cassandra, except for the numbers of threads. */
  static TServer build(
      TNonblockingServerTransport socket,
      int selectors,
      ThreadPoolExecutor workers,
      TProcessor processor) {
    return new PublishedServer(
        args(socket, processor).numSelectors(selectors).invocationExecutor(workers));
  }

  /** Returns a server with the same options, and its library's numbers of threads. */
  static TServer build(TNonblockingServerTransport socket, TProcessor processor) {
    return new PublishedServer(args(socket, processor));
  }

  private static TDisruptorServer.Args args(
      TNonblockingServerTransport socket, TProcessor processor) {
    TBinaryProtocol.Factory protocol = new TBinaryProtocol.Factory(true, true);
    return new TDisruptorServer.Args(socket)
        .useHeapBasedAllocation(true)
        .alwaysReallocateBuffers(true)
        .inputProtocolFactory(protocol)
        .outputProtocolFactory(protocol)
        .processor(processor);
  }
}
