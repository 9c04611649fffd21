package dev.ringside.cassandra;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketAddress;
import org.apache.cassandra.thrift.TCustomSocket;
import org.apache.thrift.transport.TTransportException;

/**
 * A connection of a server with a thread per connection. It ends its client's session when it is
 * closed.
 */
final class SessionSocket extends TCustomSocket {
  private final SocketAddress client;
  private final Sessions sessions;
  private final OpenConnections<SessionSocket> open;

  SessionSocket(Socket socket, Sessions sessions, OpenConnections<SessionSocket> open)
      throws TTransportException {
    super(socket);
    this.client = socket.getRemoteSocketAddress();
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

  /**
   * Ends the input, so that a thread that waits for the next request reads the end of the stream. A
   * request in progress is still answered.
   */
  void endInput() {
    try {
      getSocket().shutdownInput();
    } catch (IOException | UnsupportedOperationException e) {
      // The socket is closed, or is a TLS socket on Java 8, which can only be closed as a whole.
      close();
    }
  }
}
