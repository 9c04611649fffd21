package dev.ringside.thrift;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.apache.thrift.protocol.TBinaryProtocol;

/** Says how the clients of a test reach its server, so that a suite runs plain and over TLS. */
enum Wiring {
  TCP(null),
  TLS_1_2("TLSv1.2"),
  TLS_1_3("TLSv1.3");

  private final String protocol;

  Wiring(String protocol) {
    this.protocol = protocol;
  }

  void configure(TDisruptorServer.Args args) {
    if (protocol != null) {
      args.tls(TlsKeys.own().presenting());
    }
  }

  Client connect(int port) throws IOException {
    return protocol == null ? new Client(port) : connect(port, TlsKeys.own().trusting(), protocol);
  }

  /** Connects a client that reads nothing, whose kernel takes little in its place. */
  Client connectDeaf(int port) throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(64 << 10);
    socket.connect(new InetSocketAddress("127.0.0.1", port));
    if (protocol == null) {
      return new Client(socket, port, new TBinaryProtocol.Factory());
    }
    SSLSocket secure =
        (SSLSocket)
            TlsKeys.own()
                .trusting()
                .getSocketFactory()
                .createSocket(socket, "127.0.0.1", port, true);
    secure.setEnabledProtocols(new String[] {protocol});
    return new Client(secure, port, new TBinaryProtocol.Factory());
  }

  static Client connect(int port, SSLContext context, String protocol) throws IOException {
    SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port);
    socket.setEnabledProtocols(new String[] {protocol});
    return new Client(socket, port, new TBinaryProtocol.Factory());
  }
}
