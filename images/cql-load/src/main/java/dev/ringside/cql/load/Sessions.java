package dev.ringside.cql.load;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import dev.ringside.load.Endpoint;
import dev.ringside.load.LoadFailedException;
import java.net.InetSocketAddress;
import java.util.List;

/** Opens sessions of the driver. */
final class Sessions {
  private Sessions() {}

  /** Opens a session that knows all nodes of the store. */
  static CqlSession open(List<Endpoint> nodes, DriverConfigLoader settings) {
    return builder(nodes, settings).build();
  }

  private static CqlSessionBuilder builder(List<Endpoint> nodes, DriverConfigLoader settings) {
    return CqlSession.builder()
        .addContactPoints(
            nodes.stream().map(node -> new InetSocketAddress(node.host(), node.port())).toList())
        .withConfigLoader(settings);
  }

  /**
   * Opens a session of a keyspace that is connected to all nodes of the store. The driver would
   * silently do without a node, and the others would have its share of the load.
   *
   * @param failsOver whether nodes are lost on purpose. A node that left the ring by an order,
   *     which the driver then does not know, is not missing.
   * @throws LoadFailedException if a node is missing
   */
  static CqlSession openToAll(
      List<Endpoint> nodes, DriverConfigLoader settings, String keyspace, boolean failsOver)
      throws LoadFailedException {
    CqlSession session = builder(nodes, settings).withKeyspace(keyspace).build();
    String missing =
        missing(session, failsOver ? session.getMetadata().getNodes().size() : nodes.size());
    if (!missing.isEmpty()) {
      session.close();
      throw new LoadFailedException(missing, null);
    }
    return session;
  }

  /** Returns which nodes are not connected; empty if none is missing. */
  static String missing(CqlSession session, int nodes) {
    long up =
        session.getMetadata().getNodes().values().stream()
            .filter(node -> node.getState() == NodeState.UP)
            .count();
    if (up >= nodes) {
      return "";
    }
    List<String> down =
        session.getMetadata().getNodes().values().stream()
            .filter(node -> node.getState() != NodeState.UP)
            .map(Node::getEndPoint)
            .map(Object::toString)
            .toList();
    return String.format(
        "%d of %d nodes are up%s", up, nodes, down.isEmpty() ? "" : "; these are not: " + down);
  }
}
