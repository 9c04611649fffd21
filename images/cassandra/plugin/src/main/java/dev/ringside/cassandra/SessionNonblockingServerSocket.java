package dev.ringside.cassandra;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import org.apache.cassandra.thrift.TCustomNonblockingServerSocket;
import org.apache.cassandra.thrift.TServerFactory;
import org.apache.thrift.transport.TNonblockingSocket;
import org.apache.thrift.transport.TTransportException;

/** Cassandra's own server socket for event-loop servers, whose connections end their sessions. */
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
      // The client is gone already. Nothing but this channel knows of it.
      accepted.close();
      return null;
    }
  }

  /**
   * Closes what the server's own end left open, such as connections accepted and never registered.
   */
  void closeConnections() {
    open.forEach(SessionNonblockingSocket::close);
  }
}
