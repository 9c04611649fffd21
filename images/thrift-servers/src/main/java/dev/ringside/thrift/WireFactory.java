package dev.ringside.thrift;

import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;

/** Creates the wire of each connection, with TLS or without. */
final class WireFactory {
  private final Options options;
  private final ReadBudget budget;
  private final Watched tasks;
  private volatile SSLContext context;

  WireFactory(Options options, ReadBudget budget, Watched tasks) {
    this.options = options;
    this.budget = budget;
    this.tasks = tasks;
    this.context = options.sslContext;
  }

  /** Uses another TLS context for new connections. May be called from any thread. */
  void use(SSLContext value) {
    context = value;
  }

  Wire wire(SocketChannel channel) {
    SSLContext current = context;
    if (current == null) {
      return new PlainWire(channel);
    }
    SSLEngine engine = current.createSSLEngine();
    engine.setUseClientMode(false);
    engine.setNeedClientAuth(options.clientAuthentication);
    if (options.tlsProtocols != null) {
      engine.setEnabledProtocols(options.tlsProtocols);
    }
    if (options.cipherSuites != null) {
      engine.setEnabledCipherSuites(options.cipherSuites);
    }
    return new TlsWire(channel, engine, budget, tasks);
  }
}
