package dev.ringside.cassandra.load;

import dev.ringside.load.Load;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;

/** A load with Cassandra's own Thrift client. */
final class CassandraLoad {
  private CassandraLoad() {}

  /** Reads the settings from the environment and runs the load to its end. */
  static void run(UnaryOperator<String> environment, PrintStream out, PrintStream err)
      throws Exception {
    Orders orders = Orders.of(environment);
    new Schema(orders).prepare();
    Map<Integer, Random> randoms = randoms(orders);
    Load.run(
        orders.common(),
        orders.operation(),
        (node, thread) -> new CassandraClient(orders, node, randoms.get(thread)),
        out,
        err);
  }

  /**
   * Returns a random generator per thread. The thread uses it for all servers, so that all arms of
   * a load share one stream.
   */
  private static Map<Integer, Random> randoms(Orders orders) {
    Random seeds = new Random(orders.common().seed());
    Map<Integer, Random> randoms = new HashMap<>();
    for (int thread = 0; thread < orders.common().threads(); thread++) {
      randoms.put(thread, new Random(seeds.nextLong()));
    }
    return randoms;
  }
}
