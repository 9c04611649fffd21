package dev.ringside.cassandra;

import org.apache.thrift.server.THsHaServer;

/** THsHaServer with Cassandra's session rules. */
final class SessionHsHaServer extends THsHaServer {
  private final Sessions sessions;

  SessionHsHaServer(Args args, Sessions sessions) {
    super(args);
    this.sessions = sessions;
  }

  @Override
  protected Runnable getRunnable(FrameBuffer frameBuffer) {
    return () -> {
      sessions.beforeRequest(FrameBuffers.connection(frameBuffer).client());
      frameBuffer.invoke();
    };
  }
}
