package dev.ringside.udp.echo;

import dev.ringside.contract.CounterPort;
import dev.ringside.contract.Probes;
import dev.ringside.contract.ProcessCounters;
import dev.ringside.contract.Question;
import dev.ringside.contract.ServerProof;
import dev.ringside.contract.profile.ProfilePort;
import dev.ringside.store.HostedServer;
import dev.ringside.store.Metrics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** Runs all servers of the process, its probes and its metrics. */
final class EchoStore implements AutoCloseable {
  private static final int PROBE_MILLIS = 500;

  private final EchoSettings settings;
  private final Map<HostedServer, EchoServer> servers = new LinkedHashMap<>();
  private final Metrics metrics = new Metrics();
  private final CounterPort counters;
  private final Runnable closeProfiles;
  private final Probes probes;

  /**
   * Binds every port and starts to serve.
   *
   * @throws IOException if a port is in use
   */
  EchoStore(EchoSettings settings) throws IOException {
    this.settings = settings;
    try {
      for (HostedServer hosted : settings.servers()) {
        servers.put(hosted, server(hosted));
      }
      servers.values().forEach(EchoServer::start);
      metrics.serve(settings.address(), settings.metricsPort());
      register();
      counters =
          new CounterPort(
              new InetSocketAddress(settings.address(), settings.countersPort()),
              Map.of(Question.COUNTERS, new ProcessCounters(System.err::println)),
              System.err::println);
      closeProfiles =
          ProfilePort.open(
              new InetSocketAddress(settings.address(), settings.profilePort()),
              System.err::println);
      probes =
          new Probes(
              settings.address(),
              settings.probesPort(),
              () -> ill(EchoServer::alive, "a thread of it has ended"),
              () -> ill(EchoStore::answers, "it does not answer"));
    } catch (IOException | RuntimeException e) {
      end();
      throw e;
    }
  }

  private EchoServer server(HostedServer hosted) throws IOException {
    InetSocketAddress address = new InetSocketAddress(settings.address(), hosted.port());
    try {
      return new EchoServer(
          EchoType.of(hosted.type()), address, settings.handler(), settings.options());
    } catch (IOException e) {
      throw new IOException("cannot listen on " + address + ": is the port in use?", e);
    }
  }

  /** Returns the servers' proofs, one line each. */
  List<String> proofs(Class<?> main) {
    ServerProof proof =
        ServerProof.ofJarOf(main)
            .with("handler", settings.handlerName())
            .with("slots", settings.options().slots())
            .with("receive_buffer", settings.options().receiveBuffer());
    return servers.entrySet().stream()
        .map(
            each ->
                proof.line(
                    each.getKey().name(),
                    each.getValue().proof(),
                    settings.address(),
                    each.getKey().port(),
                    Map.of("threads", each.getValue().threads())))
        .toList();
  }

  private void register() {
    counter("received", "Datagrams received by a thread of the server", Counts::receivedTotal);
    counter("replied", "Answers accepted by the kernel", Counts::repliedTotal);
    counter("dropped", "Datagrams dropped because ring or queue was full", Counts::droppedTotal);
    counter("too_long", "Datagrams longer than a slot", Counts::tooLongTotal);
    counter("unsent", "Answers rejected by the kernel", Counts::unsentTotal);
    metrics.counter(
        "ringside_udp_kernel_dropped_total",
        "Datagrams dropped because the socket's buffer was full",
        each(EchoServer::kernelDrops));
    metrics.gauge(
        "ringside_udp_threads", "Threads of the server", each(server -> (long) server.threads()));
    if (settings.handler() instanceof SharedCounter counter) {
      metrics.counter(
          "ringside_udp_shared_counter_total",
          "Counter that all handler threads of the process share",
          counter::count);
    }
  }

  private void counter(String name, String help, ToLongFunction<Counts> of) {
    metrics.counter(
        "ringside_udp_" + name + "_total", help, each(server -> of.applyAsLong(server.counts())));
  }

  private Map<String, Supplier<Long>> each(ToLongFunction<EchoServer> of) {
    Map<String, Supplier<Long>> figures = new LinkedHashMap<>();
    servers.forEach((hosted, server) -> figures.put(hosted.name(), () -> of.applyAsLong(server)));
    return figures;
  }

  private List<String> ill(Predicate<EchoServer> well, String what) {
    return servers.entrySet().stream()
        .filter(each -> !well.test(each.getValue()))
        .map(each -> each.getKey() + ": " + what)
        .toList();
  }

  private static boolean answers(EchoServer server) {
    try {
      Echo.check(server.address(), PROBE_MILLIS);
      return true;
    } catch (IOException | UncheckedIOException e) {
      return false;
    }
  }

  private void end() {
    metrics.close();
    servers.values().forEach(EchoServer::close);
  }

  @Override
  public void close() {
    probes.close();
    counters.close();
    closeProfiles.run();
    end();
  }
}
