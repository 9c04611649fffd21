package dev.ringside.thrift.peers;

import com.thinkaurelius.thrift.Message;
import com.thinkaurelius.thrift.TDisruptorServer;

/** The published server as it is: its class is abstract for a hook that has nothing to do here. */
final class PublishedServer extends TDisruptorServer {
  PublishedServer(Args args) {
    super(args);
  }

  @Override
  protected void beforeInvoke(Message message) {
    // no session to set
  }
}
