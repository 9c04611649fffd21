package dev.ringside.store;

import dev.ringside.contract.CounterPort;
import dev.ringside.contract.Question;
import dev.ringside.contract.profile.ProfilePort;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** What the platform asks a running store: its probes, its metrics, its counters, its profiles. */
public final class Management implements AutoCloseable {
  private final Metrics metrics;
  private CounterPort counters;
  private Runnable closeProfiles = () -> {};
  private Runnable closeKill = () -> {};
  private Probes probes;

  /**
   * Listens on every port that is wanted, or on none.
   *
   * @param metrics closed with this
   * @param counted asked by one thread
   * @param sizes the same; empty of a store that does not know them
   * @param live what ails the process, a line each
   * @param ready which servers do not answer, a line each
   * @param say told what a log should have, a line at a time
   * @throws IOException if a port is taken
   * @throws IllegalArgumentException the same
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

  /** Nobody asks the store for a figure any more once it returns. */
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
