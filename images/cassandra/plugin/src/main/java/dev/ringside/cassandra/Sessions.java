package dev.ringside.cassandra;

import java.net.SocketAddress;

/** Cassandra's rules for client sessions, as a seam that tests can count on. */
interface Sessions {
  /** To be called on the executing thread before each request of that client. */
  void beforeRequest(SocketAddress client);

  /** To be called exactly once for each connection, after its last request. */
  void connectionEnded(SocketAddress client);
}
