package dev.ringside.cql.load;

import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.api.core.session.Session;
import com.datastax.oss.driver.internal.core.loadbalancing.DcInferringLoadBalancingPolicy;
import java.util.Set;

/** Sends operations to all nodes in turn, without regard to who has the key. */
public final class AnyNode extends DcInferringLoadBalancingPolicy {
  /** The driver calls this. */
  public AnyNode(DriverContext context, String profile) {
    super(context, profile);
  }

  @Override
  protected Set<Node> getReplicas(Request request, Session session) {
    return Set.of();
  }
}
