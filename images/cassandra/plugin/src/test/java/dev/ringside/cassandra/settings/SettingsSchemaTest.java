package dev.ringside.cassandra.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.config.Config;
import org.apache.cassandra.config.ParameterizedClass;
import org.apache.cassandra.config.YamlConfigurationLoader;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.utils.FBUtilities;
import org.junit.jupiter.api.Test;

/**
 * The chart's schema contains the settings of this version of Cassandra. After a change of version,
 * replace them there by what a failed test leaves in {@code target}.
 */
final class SettingsSchemaTest {
  private static final Path SCHEMA = Path.of("../../../charts/cassandra/values.schema.json");

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
    SettingsSchema.properties(Config.class).forEach((name, type) -> all.put(name, sample(type)));
    assertTrue(all.size() > 150, "only " + all.size());
    Config loaded = YamlConfigurationLoader.fromMap(all, Config.class);
    assertEquals(3, loaded.concurrent_reads);
    assertEquals("a.Class", loaded.hints_compression.class_name);
    for (String foreign : List.of("compaction_throughput", "concurent_reads")) {
      Map<String, Object> one = Map.of(foreign, 3);
      assertThrows(
          ConfigurationException.class, () -> YamlConfigurationLoader.fromMap(one, Config.class));
    }
  }

  /** Returns a value that the schema accepts. */
  private static Object sample(Type type) {
    if (type instanceof ParameterizedType) {
      boolean list =
          Collection.class.isAssignableFrom((Class<?>) ((ParameterizedType) type).getRawType());
      return list ? List.of("one") : Map.of("one", 3);
    }
    Class<?> raw = (Class<?>) type;
    if (raw == boolean.class || raw == Boolean.class) {
      return true;
    }
    if (raw == ParameterizedClass.class) {
      return List.of(Map.of("class_name", "a.Class", "parameters", List.of(Map.of("size", "3"))));
    }
    if (raw == String.class) {
      return "one";
    }
    if (raw.isEnum()) {
      return ((Enum<?>) raw.getEnumConstants()[0]).name();
    }
    if (raw.isArray()) {
      return List.of("one");
    }
    if (raw.isPrimitive() || Number.class.isAssignableFrom(raw)) {
      return 3;
    }
    Map<String, Object> members = new LinkedHashMap<>();
    SettingsSchema.properties(raw).forEach((name, member) -> members.put(name, sample(member)));
    return members;
  }
}
