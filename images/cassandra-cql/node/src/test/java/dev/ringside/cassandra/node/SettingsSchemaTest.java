package dev.ringside.cassandra.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.config.Config;
import org.apache.cassandra.config.DataStorageSpec;
import org.apache.cassandra.config.DurationSpec;
import org.apache.cassandra.config.YamlConfigurationLoader;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.utils.FBUtilities;
import org.junit.jupiter.api.Test;

/**
 * The chart's schema contains the settings of both versions of Cassandra. After a change of
 * version, replace them there by what a failed test leaves in {@code target}.
 */
final class SettingsSchemaTest {
  private static final Path SCHEMA = Path.of("../../../charts/cassandra-cql/values.schema.json");

  @Test
  void shouldBeWhatTheChartCarries() throws Exception {
    String version = FBUtilities.getReleaseVersionString();
    String schema = SettingsSchema.of(Config.class, version);
    String definition =
        ("    \"cassandra-" + version + "\": " + schema.strip()).replace("\n", "\n    ");
    Path wanted = Path.of("target/cassandra-" + version + ".json");
    if (!Files.readString(SCHEMA).contains(definition)) {
      Files.writeString(wanted, definition);
      fail("replace cassandra-" + version + " in $defs of " + SCHEMA + " by " + wanted);
    }
  }

  /** Cassandra's own loader is the reference. */
  @Test
  void shouldNameWhatCassandraLoads() {
    Map<String, Object> all = new LinkedHashMap<>();
    SettingsSchema.properties(Config.class)
        .forEach(
            (name, property) ->
                SettingsSchema.sample(property).forEach(value -> all.put(name, value)));
    assertTrue(all.size() > 250, "only " + all.size());
    Config loaded = YamlConfigurationLoader.fromMap(all, Config.class);
    assertEquals(3, loaded.concurrent_reads);
    Map<String, Object> foreign = Map.of("concurent_reads", 3);
    assertThrows(
        ConfigurationException.class, () -> YamlConfigurationLoader.fromMap(foreign, Config.class));
  }

  @Test
  void shouldKnowTheUnitsOfAQuantity() {
    assertEquals(
        List.of("d", "h", "m", "s", "ms"),
        SettingsSchema.unitsOf(DurationSpec.IntMillisecondsBound.class));
    assertEquals(
        List.of("MiB", "GiB"), SettingsSchema.unitsOf(DataStorageSpec.IntMebibytesBound.class));
    assertEquals(List.of(), SettingsSchema.unitsOf(Config.class));
  }
}
