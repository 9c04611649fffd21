package dev.ringside.thrift.peers;

import java.util.concurrent.ThreadPoolExecutor;
import org.apache.thrift.TProcessor;
import org.apache.thrift.server.TServer;
import org.apache.thrift.transport.TNonblockingServerTransport;

/** Rejects the published disruptor server, which does not exist for newer versions of libthrift. */
final class Published {
  private Published() {}

  static TServer build(
      TNonblockingServerTransport socket,
      int selectors,
      ThreadPoolExecutor workers,
      TProcessor processor) {
    return build(socket, processor);
  }

  static TServer build(TNonblockingServerTransport socket, TProcessor processor) {
    socket.close();
    throw new IllegalArgumentException("server type 'xedin' runs with libthrift 0.9 only");
  }
}
