package dev.ringside.cassandra.node;

import java.util.Map;
import org.apache.cassandra.config.Config;
import org.apache.cassandra.config.ConfigurationLoader;
import org.apache.cassandra.config.ParameterizedClass;
import org.apache.cassandra.config.YamlConfigurationLoader;

/**
 * Loads cassandra.yaml, the same on all nodes, and adds what is the pod's own: addresses, port,
 * seed and token. {@code cassandra.config.loader} names it. Cassandra loads the configuration again
 * whenever it asks for the seeds.
 */
public final class PodConfiguration implements ConfigurationLoader {
  private static final String SEEDS = "org.apache.cassandra.locator.SimpleSeedProvider";

  /** Creates the loader; Cassandra calls it. */
  public PodConfiguration() {}

  @Override
  public Config loadConfig() {
    return withPod(new YamlConfigurationLoader().loadConfig(), Pod.ofProcess());
  }

  static Config withPod(Config config, Pod pod) {
    config.listen_address = pod.address();
    config.rpc_address = pod.address();
    config.native_transport_port = pod.serverPort();
    config.num_tokens = 1;
    config.initial_token = pod.token();
    config.seed_provider = new ParameterizedClass(SEEDS, Map.of("seeds", pod.seed()));
    return config;
  }
}
