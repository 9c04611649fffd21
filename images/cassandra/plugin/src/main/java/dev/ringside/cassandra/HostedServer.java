package dev.ringside.cassandra;

import dev.ringside.thrift.ServerSpec;
import org.apache.thrift.server.TServer;
import org.apache.thrift.transport.TServerTransport;

/** One server of the node: what was asked for, what runs, and what is left to do at its end. */
final class HostedServer {
  private final ServerSpec spec;
  private final TServer server;
  private final TServerTransport socket;
  private final Runnable closeConnections;

  HostedServer(
      ServerSpec spec, TServer server, TServerTransport socket, Runnable closeConnections) {
    this.spec = spec;
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

  /** Closes the listening socket and the connections that the server's own end left open. */
  void cleanUp() {
    socket.close();
    closeConnections.run();
  }
}
