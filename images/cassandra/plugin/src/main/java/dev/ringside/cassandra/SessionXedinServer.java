package dev.ringside.cassandra;

import com.thinkaurelius.thrift.Message;
import com.thinkaurelius.thrift.TDisruptorServer;

/**
 * The published disruptor server that keeps Cassandra's session rules. Sessions end when the
 * connection is closed, not in the server's own beforeClose, which it skips when a handler throws.
 */
final class SessionXedinServer extends TDisruptorServer {
  private final Sessions sessions;

  SessionXedinServer(Args args, Sessions sessions) {
    super(args);
    this.sessions = sessions;
  }

  @Override
  protected void beforeInvoke(Message message) {
    sessions.beforeRequest(((SessionNonblockingSocket) message.transport).client());
  }
}
