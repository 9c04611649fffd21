package dev.ringside.trip.cache;

/**
 * Where an Aerospike server is.
 *
 * @param host of any of its nodes
 * @param port for clients
 * @param namespace that the trips are in
 */
public record AerospikeAddress(String host, int port, String namespace) {
  @Override
  public String toString() {
    return host + ":" + port;
  }
}
