package dev.ringside.udp.load;

import dev.ringside.load.Load;
import java.io.PrintStream;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;

/** Runs a load of datagrams that the server answers in capitals. */
final class UdpLoad {
  private UdpLoad() {}

  /** Reads the orders from the environment and runs the load to its end. */
  static void run(UnaryOperator<String> environment, PrintStream out, PrintStream err)
      throws Exception {
    Orders orders = Orders.of(environment);
    // No fixed seed: an asker's number must be unique across pods and runs.
    SplittableRandom random = new SplittableRandom();
    Load.run(
        orders.common(),
        Orders.ECHO,
        (server, thread) -> new EchoClient(orders, server, random.split()),
        out,
        err);
  }
}
