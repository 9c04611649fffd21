package dev.ringside.cql.load;

import dev.ringside.load.Arm;
import dev.ringside.load.Endpoint;
import dev.ringside.load.Load;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;

/** Runs a load over CQL. */
final class CqlLoad {
  private CqlLoad() {}

  /** Reads the orders from the environment and runs the load to its end. */
  static void run(UnaryOperator<String> environment, PrintStream out, PrintStream err)
      throws Exception {
    Orders orders = Orders.of(environment);
    orders.checkComplete();
    Workload workload =
        orders.operation() == Operation.USER
            ? new ProfileWorkload(orders)
            : new RowWorkload(orders);
    new Table(orders, workload).prepare();
    Map<Endpoint, ArmSession> sessions = sessions(orders, workload);
    List<RowChoice> choices = choices(orders);
    Load.run(
        orders.common(),
        orders.tag(),
        (node, thread) -> sessions.get(node).connect(choices.get(thread)),
        out,
        err);
  }

  /** Returns each endpoint's session: two servers can have equal endpoints, but not the same. */
  private static Map<Endpoint, ArmSession> sessions(Orders orders, Workload workload) {
    Map<Endpoint, ArmSession> sessions = new IdentityHashMap<>();
    for (Arm arm : orders.arms()) {
      ArmSession session = new ArmSession(orders, workload, arm);
      arm.endpoints().forEach(endpoint -> sessions.put(endpoint, session));
    }
    return sessions;
  }

  /** Returns one choice of rows per thread. */
  private static List<RowChoice> choices(Orders orders) {
    Random seeds = new Random(orders.common().seed());
    List<RowChoice> choices = new ArrayList<>();
    for (int thread = 0; thread < orders.common().threads(); thread++) {
      choices.add(new RowChoice(orders, new Random(seeds.nextLong())));
    }
    return choices;
  }
}
