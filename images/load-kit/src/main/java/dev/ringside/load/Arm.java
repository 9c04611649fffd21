package dev.ringside.load;

import java.util.List;

/** One of the servers that are compared, and where it listens. */
public final class Arm {
  private final String name;
  private final List<Endpoint> endpoints;

  /** The endpoints are not copied. */
  public Arm(String name, List<Endpoint> endpoints) {
    this.name = name;
    this.endpoints = endpoints;
  }

  /** The arm's name in the experiment's document; empty for the only server of a plain phase. */
  public String name() {
    return name;
  }

  /** Never empty. */
  public List<Endpoint> endpoints() {
    return endpoints;
  }

  /** The endpoint of one of the threads: they are spread round-robin. */
  public Endpoint endpointOf(int thread) {
    return endpoints.get(thread % endpoints.size());
  }

  /** The one to go to from there, round and round. */
  Endpoint endpointAfter(Endpoint endpoint) {
    return endpointOf(endpoints.indexOf(endpoint) + 1);
  }

  @Override
  public String toString() {
    return name;
  }
}
