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
 * What the store tells Prometheus on its metrics port, {@code /metrics}. Figures are asked for when
 * somebody scrapes and cost nothing between; the JVM's and the process's own ({@code
 * process_cpu_seconds_total}, {@code jvm_gc_...}) are there from the beginning.
 *
 * <p>A figure that each server has is registered once, for all of them, and told with the label
 * {@code server}.
 */
public final class Metrics implements AutoCloseable {
  private static final String SERVER = "server";

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private HTTPServer http;

  /** With the JVM's figures. */
  public Metrics() {
    JvmMetrics.builder().register(registry);
  }

  /** Something that rises and falls. */
  public Metrics gauge(String name, String help, Supplier<? extends Number> value) {
    GaugeWithCallback.builder()
        .name(name)
        .help(help)
        .callback(callback -> callback.call(value.get().doubleValue()))
        .register(registry);
    return this;
  }

  /** The same, of each server. */
  public Metrics gauge(String name, String help, Map<String, ? extends Supplier<Long>> servers) {
    GaugeWithCallback.builder()
        .name(name)
        .help(help)
        .labelNames(SERVER)
        .callback(callback -> servers.forEach((type, of) -> callback.call(of.get(), type)))
        .register(registry);
    return this;
  }

  /** Something that only rises; its name ends in {@code _total}. */
  public Metrics counter(String name, String help, Supplier<? extends Number> value) {
    CounterWithCallback.builder()
        .name(name)
        .help(help)
        .callback(callback -> callback.call(value.get().doubleValue()))
        .register(registry);
    return this;
  }

  /** The same, of each server. */
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
   * Listens, with a thread of its own per scrape.
   *
   * @param port 0 for any that is free
   */
  public Metrics serve(String address, int port) throws IOException {
    HttpPatience.bound();
    http = HTTPServer.builder().hostname(address).port(port).registry(registry).buildAndStart();
    return this;
  }

  /** Where it listens. */
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
