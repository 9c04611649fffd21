package dev.ringside.cassandra.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
 * The chart contains the settings of both versions of Cassandra. After a change of version, write
 * them again: {@code RINGSIDE_WRITE=true mvn -f images/pom.xml -pl
 * cassandra-cql/node,cassandra-cql/node-50 -am test -Dtest=SettingsSchemaTest
 * -Dsurefire.failIfNoSpecifiedTests=false}, then {@code make generate}.
 */
final class SettingsSchemaTest {
  private static final Path FOLDER = Path.of("../../../charts/cassandra-cql/settings");

  @Test
  void shouldBeWhatTheChartCarries() throws Exception {
    String version = FBUtilities.getReleaseVersionString();
    String schema = SettingsSchema.of(Config.class, version);
    Path file = FOLDER.resolve("cassandra-" + version + ".schema.json");
    if (System.getenv("RINGSIDE_WRITE") != null) {
      Files.createDirectories(FOLDER);
      Files.writeString(file, schema);
    }
    assertEquals(schema, Files.readString(file));
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
