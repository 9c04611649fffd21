package dev.ringside.cassandra;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import org.apache.thrift.transport.TNonblockingSocket;

/**
 * A connection of an event-loop server. It stores its client's address, which a closed socket no
 * longer has, and ends the client's session when it is closed by any caller.
 */
final class SessionNonblockingSocket extends TNonblockingSocket {
  private final SocketAddress client;
  private final Sessions sessions;
  private final OpenConnections<SessionNonblockingSocket> open;

  SessionNonblockingSocket(
      SocketChannel channel, Sessions sessions, OpenConnections<SessionNonblockingSocket> open)
      throws IOException {
    super(channel);
    this.client = channel.getRemoteAddress();
    this.sessions = sessions;
    this.open = open;
    open.add(this);
  }

  SocketAddress client() {
    return client;
  }

  @Override
  public void close() {
    if (open.remove(this)) {
      try {
        super.close();
      } finally {
        sessions.connectionEnded(client);
      }
    }
  }
}
