package dev.ringside.udp.load;

import dev.ringside.load.Load;
import java.io.PrintStream;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;

/** A load of datagrams whose text comes back in capitals. */
final class UdpLoad {
  private UdpLoad() {}

  /** Takes its orders from the environment and drives the load to its end. */
  static void run(UnaryOperator<String> environment, PrintStream out, PrintStream err)
      throws Exception {
    Orders orders = Orders.of(environment);
    // No fixed seed: an asker's number must be nobody else's, in other pods and runs too.
    SplittableRandom random = new SplittableRandom();
    Load.run(
        orders.common(),
        Orders.ECHO,
        (server, thread) -> new EchoClient(orders, server, random.split()),
        out,
        err);
  }
}
