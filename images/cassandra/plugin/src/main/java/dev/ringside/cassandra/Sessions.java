package dev.ringside.cassandra;

import java.net.SocketAddress;

/** Cassandra's rules for client sessions. Tests replace them. */
interface Sessions {
  /** Called before each request of a client, on the thread that runs the request. */
  void beforeRequest(SocketAddress client);

  /** Called exactly once for each connection, after its last request. */
  void connectionEnded(SocketAddress client);
}
