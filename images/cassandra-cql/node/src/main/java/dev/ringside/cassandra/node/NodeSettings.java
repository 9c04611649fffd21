package dev.ringside.cassandra.node;

import dev.ringside.contract.ServerProof;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.apache.cassandra.config.Config;
import org.apache.cassandra.config.Config.DiskAccessMode;
import org.apache.cassandra.config.DataRateSpec;
import org.apache.cassandra.config.DataStorageSpec;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.config.DurationSpec;
import org.apache.cassandra.config.ParameterizedClass;

/**
 * The effective settings of the node: those of cassandra.yaml after Cassandra has loaded them,
 * computed the unset ones, and corrected the ones that it cannot use. The names are those of
 * cassandra.yaml, with a dot before each name within a table.
 */
final class NodeSettings {
  /** Settings that are left out because they differ between nodes or installations. */
  private static final Set<String> OF_ONE_NODE =
      Set.of(
          "cluster_name",
          "initial_token",
          "seed_provider",
          "listen_address",
          "listen_interface",
          "rpc_address",
          "rpc_interface",
          "broadcast_address",
          "broadcast_rpc_address");

  private NodeSettings() {}

  /** Adds the settings of this process to a proof, and whether each is the default. */
  static void tell(ServerProof proof) {
    Map<String, Object> running = of(DatabaseDescriptor.getRawConfig());
    // Cassandra keeps the mode of the indexes elsewhere, and overwrites the setting with the mode
    // of the data.
    if (DatabaseDescriptor.getDiskAccessMode() == DiskAccessMode.standard
        && DatabaseDescriptor.getIndexAccessMode() == DiskAccessMode.mmap) {
      running.put("disk_access_mode", DiskAccessMode.mmap_index_only.name());
    }
    tell(proof, running, of(new Config()));
  }

  static void tell(ServerProof proof, Map<String, Object> running, Map<String, Object> defaults) {
    running.forEach(
        (name, value) -> proof.withSetting(name, value, Objects.equals(value, defaults.get(name))));
  }

  /** Returns the settings by name. */
  static Map<String, Object> of(Config config) {
    Map<String, Object> settings = new TreeMap<>();
    collect("", config, settings);
    settings.keySet().removeIf(name -> OF_ONE_NODE.contains(name.split("\\.", 2)[0]));
    return settings;
  }

  private static void collect(String prefix, Object table, Map<String, Object> into) {
    for (Field field : table.getClass().getFields()) {
      if (Modifier.isStatic(field.getModifiers())) {
        continue;
      }
      try {
        add(prefix + field.getName(), field.get(table), into);
      } catch (IllegalAccessException e) {
        throw new IllegalStateException("reading the setting " + field.getName() + " failed", e);
      }
    }
  }

  private static void add(String name, Object value, Map<String, Object> into) {
    if (value instanceof Object[]) {
      into.put(name, Arrays.toString((Object[]) value));
    } else if (value instanceof Map) {
      ((Map<?, ?>) value).forEach((key, entry) -> add(name + "." + key, entry, into));
    } else if (value instanceof ParameterizedClass) {
      // Users may write the name alone, or a table with name and parameters.
      ParameterizedClass named = (ParameterizedClass) value;
      into.put(name, named.class_name);
      into.put(name + ".class_name", named.class_name);
      if (named.parameters != null) {
        add(name + ".parameters", named.parameters, into);
      }
    } else if (value instanceof Enum) {
      into.put(name, ((Enum<?>) value).name());
    } else if (value instanceof Number || value instanceof Boolean) {
      into.put(name, value);
    } else if (value instanceof String || value instanceof Collection || isQuantity(value)) {
      into.put(name, value.toString());
    } else if (value != null) {
      collect(name + ".", value, into);
    }
  }

  private static boolean isQuantity(Object value) {
    return value instanceof DurationSpec
        || value instanceof DataStorageSpec
        || value instanceof DataRateSpec;
  }
}
