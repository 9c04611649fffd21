package dev.ringside.cassandra;

import java.net.InetSocketAddress;
import java.net.Socket;
import org.apache.cassandra.config.EncryptionOptions.ClientEncryptionOptions;
import org.apache.cassandra.thrift.TCustomServerSocket;
import org.apache.cassandra.thrift.TCustomSocket;
import org.apache.cassandra.thrift.TServerFactory;
import org.apache.thrift.transport.TSSLTransportFactory;
import org.apache.thrift.transport.TSSLTransportFactory.TSSLTransportParameters;
import org.apache.thrift.transport.TTransportException;

/**
 * Cassandra's own server socket for servers with a thread per connection; closing a connection ends
 * its session. {@link #interrupt()} also ends the input of every connection, so that an idle client
 * does not delay a stop.
 */
final class SessionServerSocket extends TCustomServerSocket {
  private final Sessions sessions;
  private final OpenConnections<SessionSocket> open = new OpenConnections<>();
  private volatile boolean interrupted;

  SessionServerSocket(InetSocketAddress address, TServerFactory.Args args, Sessions sessions)
      throws TTransportException {
    super(address, args.keepAlive, args.sendBufferSize, args.recvBufferSize, args.listenBacklog);
    this.sessions = sessions;
  }

  /** Creates a socket with TLS, according to the node's client_encryption_options. */
  SessionServerSocket(
      InetSocketAddress address,
      TServerFactory.Args args,
      Sessions sessions,
      ClientEncryptionOptions tls)
      throws TTransportException {
    super(
        TSSLTransportFactory.getServerSocket(
                address.getPort(), 0, address.getAddress(), tlsParameters(tls))
            .getServerSocket(),
        args.keepAlive,
        args.sendBufferSize,
        args.recvBufferSize);
    this.sessions = sessions;
  }

  private static TSSLTransportParameters tlsParameters(ClientEncryptionOptions tls) {
    TSSLTransportParameters parameters =
        new TSSLTransportParameters(tls.protocol, tls.cipher_suites);
    parameters.setKeyStore(tls.keystore, tls.keystore_password);
    if (tls.require_client_auth) {
      parameters.setTrustStore(tls.truststore, tls.truststore_password);
      parameters.requireClientAuth(true);
    }
    return parameters;
  }

  @Override
  protected TCustomSocket acceptImpl() throws TTransportException {
    TCustomSocket accepted = super.acceptImpl();
    Socket socket = accepted.getSocket();
    return new SessionSocket(socket, sessions, open);
  }

  /**
   * Does not set the accept timeout of Cassandra, because libthrift's thread pool would log ten
   * warnings per second. It is not needed: {@link #interrupt()} closes the socket, which ends an
   * accept too.
   */
  @Override
  public void listen() throws TTransportException {
    if (interrupted) {
      // The server was stopped before it began; its loop does not check that.
      throw new TTransportException("the server is stopping");
    }
  }

  @Override
  public void interrupt() {
    interrupted = true;
    super.interrupt();
    open.forEach(SessionSocket::endInput);
  }

  void closeConnections() {
    open.forEach(SessionSocket::close);
  }
}
