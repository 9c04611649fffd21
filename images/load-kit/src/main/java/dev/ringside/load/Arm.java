package dev.ringside.load;

import java.util.List;

/** One of the servers that are compared, and the endpoints at which it listens. */
public final class Arm {
  private final String name;
  private final List<Endpoint> endpoints;

  /** Creates an arm. The list of endpoints is not copied. */
  public Arm(String name, List<Endpoint> endpoints) {
    this.name = name;
    this.endpoints = endpoints;
  }

  /**
   * Returns the server's name in the experiment file; empty for the only server of a plain phase.
   */
  public String name() {
    return name;
  }

  /** Returns the endpoints of the server; never empty. */
  public List<Endpoint> endpoints() {
    return endpoints;
  }

  /** Returns the endpoint for a thread: threads are spread over the endpoints round-robin. */
  public Endpoint endpointOf(int thread) {
    return endpoints.get(thread % endpoints.size());
  }

  /** Returns the endpoint that follows the given one, in a cycle. */
  Endpoint endpointAfter(Endpoint endpoint) {
    return endpointOf(endpoints.indexOf(endpoint) + 1);
  }

  /** Reports whether the server has an endpoint on a host. */
  boolean isOn(String host) {
    return endpoints.stream().anyMatch(endpoint -> endpoint.host().equals(host));
  }

  /** Reports whether both servers have an endpoint on one host, as those of a shared store have. */
  boolean sharesAHostWith(Arm other) {
    return endpoints.stream().anyMatch(endpoint -> other.isOn(endpoint.host()));
  }

  @Override
  public String toString() {
    return name;
  }
}
