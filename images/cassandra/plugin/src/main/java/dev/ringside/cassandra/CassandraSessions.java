package dev.ringside.cassandra;

import java.net.SocketAddress;
import org.apache.cassandra.thrift.ThriftSessionManager;

/** The sessions of the running node. */
final class CassandraSessions implements Sessions {
  @Override
  public void beforeRequest(SocketAddress client) {
    ThriftSessionManager.instance.setCurrentSocket(client);
  }

  @Override
  public void connectionEnded(SocketAddress client) {
    ThriftSessionManager.instance.connectionComplete(client);
  }
}
