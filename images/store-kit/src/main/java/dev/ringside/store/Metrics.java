package dev.ringside.store;

import dev.ringside.contract.HttpPatience;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.exporter.httpserver.HTTPServer;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The metrics port of a store: serves {@code /metrics} to Prometheus. Values are read at each
 * scrape and cost nothing in between. The metrics of the JVM and the process ({@code
 * process_cpu_seconds_total}, {@code jvm_gc_...}) are always registered.
 *
 * <p>A metric that each server has is registered once for all of them, with the label {@code
 * server}.
 */
public final class Metrics implements AutoCloseable {
  private static final String SERVER = "server";

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private HTTPServer http;

  /** Creates the metrics, with those of the JVM. */
  public Metrics() {
    JvmMetrics.builder().register(registry);
  }

  /** Registers a gauge. */
  public Metrics gauge(String name, String help, Supplier<? extends Number> value) {
    GaugeWithCallback.builder()
        .name(name)
        .help(help)
        .callback(callback -> callback.call(value.get().doubleValue()))
        .register(registry);
    return this;
  }

  /** Registers the metric with one value per server. */
  public Metrics gauge(String name, String help, Map<String, ? extends Supplier<Long>> servers) {
    GaugeWithCallback.builder()
        .name(name)
        .help(help)
        .labelNames(SERVER)
        .callback(callback -> servers.forEach((type, of) -> callback.call(of.get(), type)))
        .register(registry);
    return this;
  }

  /** Registers a counter; its name ends in {@code _total}. */
  public Metrics counter(String name, String help, Supplier<? extends Number> value) {
    CounterWithCallback.builder()
        .name(name)
        .help(help)
        .callback(callback -> callback.call(value.get().doubleValue()))
        .register(registry);
    return this;
  }

  /** Registers the metric with one value per server. */
  public Metrics counter(String name, String help, Map<String, ? extends Supplier<Long>> servers) {
    CounterWithCallback.builder()
        .name(name)
        .help(help)
        .labelNames(SERVER)
        .callback(callback -> servers.forEach((type, of) -> callback.call(of.get(), type)))
        .register(registry);
    return this;
  }

  /**
   * Starts to listen, with a thread per scrape.
   *
   * @param port 0 for any free port
   */
  public Metrics serve(String address, int port) throws IOException {
    HttpPatience.bound();
    http = HTTPServer.builder().hostname(address).port(port).registry(registry).buildAndStart();
    return this;
  }

  /** Returns the port. */
  public int port() {
    return http.getPort();
  }

  @Override
  public void close() {
    if (http != null) {
      http.close();
    }
  }
}
