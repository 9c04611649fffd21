package dev.ringside.store;

import dev.ringside.contract.CounterPort;
import dev.ringside.contract.Probes;
import dev.ringside.contract.Question;
import dev.ringside.contract.profile.ProfilePort;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The management ports of a running store: probes, metrics, counters, profiles and the kill port.
 */
public final class Management implements AutoCloseable {
  private final Metrics metrics;
  private CounterPort counters;
  private Runnable closeProfiles = () -> {};
  private Runnable closeKill = () -> {};
  private Probes probes;

  /**
   * Opens all ports that are set, or, if one fails, none.
   *
   * @param metrics closed with this object
   * @param counted returns the counters; called by one thread
   * @param sizes returns the sizes of the data; called by the same thread; empty if the store does
   *     not know them
   * @param live returns the problems of the process, one line each
   * @param ready returns the servers that do not answer, one line each
   * @param say receives messages for the log, one line each
   * @throws IOException if a port is in use
   * @throws IllegalArgumentException if a port is in use
   */
  public Management(
      ManagementPorts ports,
      Metrics metrics,
      Supplier<Map<String, Long>> counted,
      Supplier<Map<String, Long>> sizes,
      Supplier<List<String>> live,
      Supplier<List<String>> ready,
      Consumer<String> say)
      throws IOException {
    this.metrics = metrics;
    try {
      if (ports.metrics() > 0) {
        metrics.serve(ports.address(), ports.metrics());
      }
      if (ports.counters() > 0) {
        counters =
            new CounterPort(
                at(ports, ports.counters()),
                Map.of(Question.COUNTERS, counted, Question.SIZES, sizes),
                say);
      }
      closeProfiles = ProfilePort.open(at(ports, ports.profile()), say);
      closeKill = KillPort.open(at(ports, ports.kill()), say);
      probes = new Probes(ports.address(), ports.health(), live, ready);
    } catch (IOException | IllegalArgumentException e) {
      close();
      throw e;
    }
  }

  private static InetSocketAddress at(ManagementPorts ports, int port) {
    return new InetSocketAddress(ports.address(), port);
  }

  /** Closes all ports. No value of the store is read after it returns. */
  @Override
  public void close() {
    if (probes != null) {
      probes.close();
    }
    metrics.close();
    if (counters != null) {
      counters.close();
    }
    closeProfiles.run();
    closeKill.run();
  }
}
