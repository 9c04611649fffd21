package dev.ringside.cassandra;

import org.apache.thrift.server.TNonblockingServer;

/** TNonblockingServer with Cassandra's session rules. */
final class SessionNonblockingServer extends TNonblockingServer {
  private final Sessions sessions;

  SessionNonblockingServer(Args args, Sessions sessions) {
    super(args);
    this.sessions = sessions;
  }

  @Override
  protected boolean requestInvoke(FrameBuffer frameBuffer) {
    sessions.beforeRequest(FrameBuffers.connection(frameBuffer).client());
    return super.requestInvoke(frameBuffer);
  }
}
