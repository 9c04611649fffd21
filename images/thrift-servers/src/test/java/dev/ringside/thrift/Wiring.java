package dev.ringside.thrift;

import java.io.IOException;
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

  static Client connect(int port, SSLContext context, String protocol) throws IOException {
    SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port);
    socket.setEnabledProtocols(new String[] {protocol});
    return new Client(socket, port, new TBinaryProtocol.Factory());
  }
}
