package dev.ringside.load;

/** Opens the connections of a load. */
public interface Connector {
  /**
   * Opens a connection of one thread to a server.
   *
   * @throws Exception if the server cannot be reached, or rejects the connection
   */
  Client connect(Endpoint endpoint, int thread) throws Exception;
}
