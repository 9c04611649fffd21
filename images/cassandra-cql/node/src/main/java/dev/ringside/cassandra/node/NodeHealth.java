package dev.ringside.cassandra.node;

import java.util.List;
import java.util.Set;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.service.StorageProxy;
import org.apache.cassandra.service.StorageService;

/**
 * The state of the node for the kubelet's probes, one line per problem. In a new ring, a node is
 * not ready before it has found all nodes up, with one schema. Later its state depends on this node
 * only, because one lost node would otherwise remove all nodes from their Service. A node that
 * leaves the ring by an order is as it should be, although it serves no clients.
 */
final class NodeHealth {
  /** Cassandra's names for the modes of a node that leaves, and of one that left. */
  private static final Set<String> AWAY = Set.of("LEAVING", "DECOMMISSIONED");

  private final Ring ring;
  private volatile boolean started;

  NodeHealth(Ring ring) {
    this.ring = ring;
  }

  /** Allows questions to Cassandra. Before, they would initialize it without its configuration. */
  void start() {
    started = true;
  }

  /** Returns why the node does not serve. */
  List<String> live() {
    return started
            && (StorageService.instance.isNativeTransportRunning()
                || AWAY.contains(StorageService.instance.getOperationMode()))
        ? List.of()
        : List.of("the node does not serve CQL yet");
  }

  /** Returns why clients should not use the node. */
  List<String> ready() {
    List<String> ills = live();
    if (!ills.isEmpty() || ring.wasComplete()) {
      return ills;
    }
    return ring.lacks(
        Gossiper.instance.getLiveMembers().size(),
        StorageService.instance.getTokenToEndpointMap().size(),
        () -> StorageProxy.describeSchemaVersions(false));
  }
}
