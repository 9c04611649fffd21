package dev.ringside.cql.load;

import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.CONFIG_RELOAD_INTERVAL;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.CONNECTION_CONNECT_TIMEOUT;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.CONNECTION_MAX_REQUESTS;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.CONNECTION_POOL_LOCAL_SIZE;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.METADATA_SCHEMA_REFRESHED_KEYSPACES;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.METRICS_FACTORY_CLASS;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.PROTOCOL_COMPRESSION;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.RECONNECTION_BASE_DELAY;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.RECONNECTION_POLICY_CLASS;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.REQUEST_CONSISTENCY;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.REQUEST_PAGE_SIZE;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.REQUEST_TIMEOUT;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.RETRY_POLICY_CLASS;

import com.datastax.dse.driver.api.core.config.DseDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import com.datastax.oss.driver.internal.core.connection.ConstantReconnectionPolicy;
import com.datastax.oss.driver.internal.core.loadbalancing.DcInferringLoadBalancingPolicy;
import com.datastax.oss.driver.internal.core.metrics.NoopMetricsFactory;
import java.time.Duration;
import java.util.List;

/** Translates orders into the driver's configuration. */
final class DriverSettings {
  /** How many operations a connection can have at once by the protocol. */
  private static final int MOST_REQUESTS = 32_767;

  private static final int DRIVERS_REQUESTS = 1024;
  private static final Duration NEVER = Duration.ofDays(365);

  private DriverSettings() {}

  /** Returns the configuration of a session that does the load's operations. */
  static DriverConfigLoader of(Orders orders, String keyspace) {
    ProgrammaticDriverConfigLoaderBuilder settings =
        of(Duration.ofMillis(orders.common().timeoutMillis()))
            .withString(REQUEST_CONSISTENCY, orders.consistency().name())
            .withInt(REQUEST_PAGE_SIZE, orders.driver().pageSize())
            .withInt(CONNECTION_POOL_LOCAL_SIZE, orders.driver().connectionsPerNode())
            .withInt(
                CONNECTION_MAX_REQUESTS,
                Math.min(MOST_REQUESTS, Math.max(DRIVERS_REQUESTS, orders.common().threads())))
            .withStringList(METADATA_SCHEMA_REFRESHED_KEYSPACES, List.of(keyspace));
    if (!orders.driver().tokenAware()) {
      settings.withClass(LOAD_BALANCING_POLICY_CLASS, AnyNode.class);
    }
    if (orders.driver().compressed()) {
      settings.withString(PROTOCOL_COMPRESSION, "lz4");
    }
    if (!orders.common().failsOver()) {
      // The cost of a new connection is not what is measured.
      settings
          .withClass(RECONNECTION_POLICY_CLASS, ConstantReconnectionPolicy.class)
          .withDuration(RECONNECTION_BASE_DELAY, NEVER);
    }
    return settings.build();
  }

  /** Returns the configuration of a session that prepares the table. */
  static DriverConfigLoader ofPreparation(Duration timeout) {
    return of(timeout).build();
  }

  private static ProgrammaticDriverConfigLoaderBuilder of(Duration timeout) {
    return DriverConfigLoader.programmaticBuilder()
        .withDuration(REQUEST_TIMEOUT, timeout)
        .withDuration(CONNECTION_CONNECT_TIMEOUT, timeout)
        .withDuration(CONNECTION_INIT_QUERY_TIMEOUT, timeout)
        .withDuration(CONFIG_RELOAD_INTERVAL, Duration.ZERO)
        .withClass(RETRY_POLICY_CLASS, NoRetry.class)
        .withClass(LOAD_BALANCING_POLICY_CLASS, DcInferringLoadBalancingPolicy.class)
        .withClass(METRICS_FACTORY_CLASS, NoopMetricsFactory.class)
        // A session that is closed has nothing to wait for.
        .withInt(NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
        .withInt(NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0)
        .withBoolean(DseDriverOption.MONITOR_REPORTING_ENABLED, false);
  }
}
