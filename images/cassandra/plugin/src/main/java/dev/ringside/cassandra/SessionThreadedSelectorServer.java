package dev.ringside.cassandra;

import org.apache.thrift.server.TThreadedSelectorServer;

/** TThreadedSelectorServer with Cassandra's session rules. */
final class SessionThreadedSelectorServer extends TThreadedSelectorServer {
  private final Sessions sessions;

  SessionThreadedSelectorServer(Args args, Sessions sessions) {
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
