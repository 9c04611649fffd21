package dev.ringside.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.contract.ServerProof;
import java.util.Collections;
import java.util.Map;
import org.apache.cassandra.config.Config;
import org.apache.cassandra.config.Config.DiskAccessMode;
import org.apache.cassandra.config.ParameterizedClass;
import org.junit.jupiter.api.Test;

final class NodeSettingsTest {
  private static String proof(Config running) {
    ServerProof proof = ServerProof.ofJarOf(String.class);
    new NodeSettings(running, new Config()).tell(proof);
    return proof.line("hsha", String.class, "127.0.0.1", 9160, Collections.emptyMap());
  }

  @Test
  void shouldTellTheSettingsOfCassandraYamlAsLoaded() {
    Config running = new Config();
    running.concurrent_reads = 16;
    running.disk_access_mode = DiskAccessMode.mmap_index_only;
    running.data_file_directories = new String[] {"/var/lib/cassandra/data"};
    running.hinted_handoff_disabled_datacenters.add("dc1");
    running.hints_compression =
        new ParameterizedClass("LZ4Compressor", Map.of("level", "high", "a", "b"));
    running.client_encryption_options.enabled = true;
    running.client_encryption_options.keystore_password = "hunter2";
    running.authenticator = "AllowAllAuthenticator";
    running.listen_address = "10.0.0.3";
    running.cluster_name = "run-1";
    String proof = proof(running);
    String changed = proof.substring(proof.indexOf("\"settings\""), proof.indexOf("\"defaults\""));
    String defaults = proof.substring(proof.indexOf("\"defaults\""));
    for (String wanted :
        new String[] {
          "\"concurrent_reads\":\"16\"",
          "\"disk_access_mode\":\"mmap_index_only\"",
          "\"data_file_directories\":\"[/var/lib/cassandra/data]\"",
          "\"hinted_handoff_disabled_datacenters\":\"[dc1]\"",
          "\"hints_compression\":\"LZ4Compressor{a=b, level=high}\"",
          "\"client_encryption_options.enabled\":\"true\"",
          "\"client_encryption_options.keystore_password\":\"***\"",
          "\"authenticator\":\"AllowAllAuthenticator\"",
        }) {
      assertTrue(changed.contains(wanted), wanted);
    }
    assertTrue(defaults.contains("\"concurrent_writes\":\"32\""));
    assertTrue(defaults.contains("\"credentials_validity_in_ms\":\"2000\""));
    for (String hidden : new String[] {"10.0.0.3", "run-1", "hunter2"}) {
      assertFalse(proof.contains(hidden), hidden);
    }
  }

  /** The operator reads only a limited length of a line. */
  @Test
  void shouldFitWithinAProof() {
    String proof = proof(new Config());
    assertTrue(proof.length() < 16 << 10, "it has " + proof.length());
  }

  @Test
  void shouldTellNothingWhereNothingIsLoaded() {
    String proof = proof(null);
    assertEquals("\"defaults\":{}}", proof.substring(proof.indexOf("\"defaults\"")));
  }
}
