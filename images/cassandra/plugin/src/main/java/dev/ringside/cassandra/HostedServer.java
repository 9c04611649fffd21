package dev.ringside.cassandra;

import dev.ringside.contract.ServerProof;
import dev.ringside.server.ServerSpec;
import java.net.InetSocketAddress;
import java.util.Map;
import org.apache.thrift.server.TServer;
import org.apache.thrift.transport.TServerTransport;

/**
 * One server of the node: its specification, the running server, and what must be closed at its
 * end.
 */
final class HostedServer {
  private final ServerSpec spec;
  private final Map<String, ?> own;
  private final TServer server;
  private final TServerTransport socket;
  private final Runnable closeConnections;

  /**
   * Creates the object for a server that is bound to its port.
   *
   * @param own the part of its proof that is its own, such as its numbers of threads
   */
  HostedServer(
      ServerSpec spec,
      Map<String, ?> own,
      TServer server,
      TServerTransport socket,
      Runnable closeConnections) {
    this.spec = spec;
    this.own = own;
    this.server = server;
    this.socket = socket;
    this.closeConnections = closeConnections;
  }

  ServerSpec spec() {
    return spec;
  }

  TServer server() {
    return server;
  }

  /** Returns the line of its proof. */
  String proof(ServerProof proof, InetSocketAddress address) {
    return proof.line(
        spec.name(), server.getClass(), address.getAddress().getHostAddress(), spec.port(), own);
  }

  /** Closes the listening socket and the connections that the server left open. */
  void cleanUp() {
    socket.close();
    closeConnections.run();
  }
}
