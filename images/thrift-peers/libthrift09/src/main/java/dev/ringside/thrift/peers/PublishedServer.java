package dev.ringside.thrift.peers;

import com.thinkaurelius.thrift.Message;
import com.thinkaurelius.thrift.TDisruptorServer;

/**
 * The published server without changes. Its class is abstract because of a hook that is not needed.
 */
final class PublishedServer extends TDisruptorServer {
  PublishedServer(Args args) {
    super(args);
  }

  @Override
  protected void beforeInvoke(Message message) {
    // no session to set
  }
}
