package dev.ringside.thrift.internal.wire;

import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/** Creates the wire of each connection, with TLS or without. */
public final class WireFactory {
  private final boolean clientAuthentication;
  private final String @Nullable [] protocols;
  private final String @Nullable [] cipherSuites;
  private volatile @Nullable SSLContext context;

  /**
   * Creates a factory.
   *
   * @param context null for none of TLS
   * @param protocols the allowed versions of TLS; null, as for the suites, is the JVM's choice
   */
  public WireFactory(
      @Nullable SSLContext context,
      boolean clientAuthentication,
      String @Nullable [] protocols,
      String @Nullable [] cipherSuites) {
    this.context = context;
    this.clientAuthentication = clientAuthentication;
    this.protocols = protocols;
    this.cipherSuites = cipherSuites;
  }

  /** Uses another TLS context for new connections. May be called from any thread. */
  public void use(SSLContext value) {
    context = value;
  }

  public Wire wire(SocketChannel channel) {
    SSLContext current = context;
    if (current == null) {
      return new PlainWire(channel);
    }
    SSLEngine engine = current.createSSLEngine();
    engine.setUseClientMode(false);
    engine.setNeedClientAuth(clientAuthentication);
    if (protocols != null) {
      engine.setEnabledProtocols(protocols);
    }
    if (cipherSuites != null) {
      engine.setEnabledCipherSuites(cipherSuites);
    }
    return new TlsWire(channel, engine);
  }
}
