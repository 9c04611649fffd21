package dev.ringside.trip.cache;

/**
 * Holds the address of an Aerospike server.
 *
 * @param host of any of its nodes
 * @param port for clients
 * @param namespace of the trips
 */
public record AerospikeAddress(String host, int port, String namespace) {
  @Override
  public String toString() {
    return host + ":" + port;
  }
}
