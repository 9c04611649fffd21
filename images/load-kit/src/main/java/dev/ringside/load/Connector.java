package dev.ringside.load;

/** Makes a load's connections. */
public interface Connector {
  /**
   * Connects one of the threads to a server.
   *
   * @throws Exception if the server cannot be reached, or refuses
   */
  Client connect(Endpoint endpoint, int thread) throws Exception;
}
