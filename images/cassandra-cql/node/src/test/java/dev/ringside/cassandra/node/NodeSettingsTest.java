package dev.ringside.cassandra.node;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ringside.contract.ServerProof;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.config.Config;
import org.apache.cassandra.config.ParameterizedClass;
import org.apache.cassandra.config.YamlConfigurationLoader;
import org.junit.jupiter.api.Test;

final class NodeSettingsTest {
  private static String proof(Config running) {
    ServerProof proof = ServerProof.ofJarOf(String.class);
    NodeSettings.tell(proof, NodeSettings.of(running), NodeSettings.of(new Config()));
    return proof.line("v50", String.class, "127.0.0.1", 9042, Map.of());
  }

  @Test
  void shouldTellTheSettingsOfCassandraYamlAsLoaded() {
    Config running =
        YamlConfigurationLoader.fromMap(
            Map.of(
                "concurrent_reads",
                16,
                "compaction_throughput",
                "128MiB/s",
                "commitlog_sync_period",
                "10s",
                "memtable_allocation_type",
                "offheap_objects",
                "hinted_handoff_disabled_datacenters",
                List.of("dc1"),
                "memtable",
                Map.of("configurations", Map.of("small", Map.of("class_name", "SkipListMemtable"))),
                "client_encryption_options",
                Map.of("keystore_password", "hunter2"),
                "cluster_name",
                "run-1"),
            Config.class);
    running.seed_provider = new ParameterizedClass("Seeds", Map.of("seeds", "10.0.0.9"));
    String proof = proof(running);
    String changed = proof.substring(proof.indexOf("\"settings\""), proof.indexOf("\"defaults\""));
    for (String wanted :
        List.of(
            "\"concurrent_reads\":\"16\"",
            "\"compaction_throughput\":\"128MiB/s\"",
            "\"commitlog_sync_period\":\"10s\"",
            "\"memtable_allocation_type\":\"offheap_objects\"",
            "\"memtable.configurations.small\":\"SkipListMemtable\"",
            "\"memtable.configurations.small.class_name\":\"SkipListMemtable\"",
            "\"hinted_handoff_disabled_datacenters\":\"[dc1]\"",
            "\"client_encryption_options.keystore_password\":\"***\"")) {
      assertTrue(changed.contains(wanted), wanted + " in " + changed);
    }
    // An object in the settings that differs from process to process.
    for (String hidden :
        List.of("run-1", "10.0.0.9", "hunter2", "sslContextFactoryInstance", "@")) {
      assertFalse(proof.contains(hidden), hidden);
    }
  }

  @Test
  void shouldTellTheFormatOfSstables() {
    assumeTrue(SettingsSchema.properties(Config.class).containsKey("sstable"), "since 5.0");
    Config running =
        YamlConfigurationLoader.fromMap(
            Map.of("sstable", Map.of("selected_format", "bti")), Config.class);
    assertTrue(proof(running).contains("\"sstable.selected_format\":\"bti\""));
  }

  /** The operator reads only a limited length of a line. */
  @Test
  void shouldFitWithinAProof() {
    String proof = proof(new Config());
    assertTrue(proof.contains("\"concurrent_writes\":\"32\""));
    assertTrue(proof.length() < 24 << 10, "it has " + proof.length());
  }
}
