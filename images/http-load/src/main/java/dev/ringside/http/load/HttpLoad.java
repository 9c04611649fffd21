package dev.ringside.http.load;

import dev.ringside.load.Load;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;

/** Runs a load over HTTP. */
final class HttpLoad {
  private HttpLoad() {}

  /** Reads the orders from the environment and runs the load to its end. */
  static void run(UnaryOperator<String> environment, PrintStream out, PrintStream err)
      throws Exception {
    Orders orders = Orders.of(environment);
    Population population = new Population(orders.valueSize());
    List<SplittableRandom> randoms = randoms(orders);
    Load.run(
        orders.common(),
        orders.tag(),
        (server, thread) ->
            new HttpClient(orders, population, new Asked(orders, randoms.get(thread)), server),
        out,
        err);
  }

  /**
   * Returns one generator per thread, whatever the server is: the arms of a load use the same
   * stream.
   */
  private static List<SplittableRandom> randoms(Orders orders) {
    SplittableRandom seeds = new SplittableRandom(orders.common().seed());
    List<SplittableRandom> randoms = new ArrayList<>();
    for (int thread = 0; thread < orders.common().threads(); thread++) {
      randoms.add(seeds.split());
    }
    return randoms;
  }
}
