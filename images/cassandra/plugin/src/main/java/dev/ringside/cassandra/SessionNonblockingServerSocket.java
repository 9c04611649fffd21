package dev.ringside.cassandra;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import org.apache.cassandra.thrift.TCustomNonblockingServerSocket;
import org.apache.cassandra.thrift.TServerFactory;
import org.apache.thrift.transport.TNonblockingSocket;
import org.apache.thrift.transport.TTransportException;

/** Cassandra's own server socket for event-loop servers; closing a connection ends its session. */
final class SessionNonblockingServerSocket extends TCustomNonblockingServerSocket {
  private final Sessions sessions;
  private final OpenConnections<SessionNonblockingSocket> open = new OpenConnections<>();

  SessionNonblockingServerSocket(
      InetSocketAddress address, TServerFactory.Args args, Sessions sessions)
      throws TTransportException {
    super(address, args.keepAlive, args.sendBufferSize, args.recvBufferSize);
    this.sessions = sessions;
  }

  @Override
  protected TNonblockingSocket acceptImpl() throws TTransportException {
    TNonblockingSocket accepted = super.acceptImpl();
    if (accepted == null) {
      return null;
    }
    SocketChannel channel = accepted.getSocketChannel();
    try {
      return new SessionNonblockingSocket(channel, sessions, open);
    } catch (IOException e) {
      // The client is gone; only this channel refers to it.
      accepted.close();
      return null;
    }
  }

  /**
   * Closes the connections that the server left open, such as those that were accepted and never
   * registered.
   */
  void closeConnections() {
    open.forEach(SessionNonblockingSocket::close);
  }
}
