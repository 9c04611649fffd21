package dev.ringside.thrift;

import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLEngine;

/** Makes the wire of each connection, with TLS or without. */
final class WireFactory {
  private final Options options;
  private final ReadBudget budget;

  WireFactory(Options options, ReadBudget budget) {
    this.options = options;
    this.budget = budget;
  }

  Wire wire(SocketChannel channel) {
    if (options.sslContext == null) {
      return new PlainWire(channel);
    }
    SSLEngine engine = options.sslContext.createSSLEngine();
    engine.setUseClientMode(false);
    engine.setNeedClientAuth(options.clientAuthentication);
    if (options.tlsProtocols != null) {
      engine.setEnabledProtocols(options.tlsProtocols);
    }
    if (options.cipherSuites != null) {
      engine.setEnabledCipherSuites(options.cipherSuites);
    }
    return new TlsWire(channel, engine, budget);
  }
}
