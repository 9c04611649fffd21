package dev.ringside.cassandra;

import dev.ringside.contract.ServerProof;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.apache.cassandra.config.Config;
import org.apache.cassandra.config.Config.DiskAccessMode;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.config.ParameterizedClass;

/**
 * The effective settings of the node: those of cassandra.yaml after Cassandra has loaded them,
 * computed the unset ones, and corrected the ones that it cannot use.
 */
final class NodeSettings {
  /** Settings that are left out because they differ between nodes or installations. */
  private static final Set<String> OF_ONE_NODE =
      new HashSet<>(
          Arrays.asList(
              "cluster_name",
              "initial_token",
              "seed_provider",
              "listen_address",
              "listen_interface",
              "rpc_address",
              "rpc_interface",
              "broadcast_address",
              "broadcast_rpc_address"));

  private final Map<String, Object> running;
  private final Map<String, Object> defaults;

  /**
   * Reads the running settings and the defaults.
   *
   * @param running null if Cassandra has not loaded any
   */
  NodeSettings(Config running, Config defaults) {
    this.running = new TreeMap<>();
    this.defaults = new TreeMap<>();
    if (running != null) {
      collect("", running, this.running);
      collect("", defaults, this.defaults);
    }
  }

  /** Returns the settings of this process. */
  static NodeSettings ofNode() {
    NodeSettings node = new NodeSettings(DatabaseDescriptor.getRawConfig(), new Config());
    // Cassandra keeps the mode of the indexes elsewhere, and overwrites the setting with the mode
    // of the data.
    if (DatabaseDescriptor.getRawConfig() != null
        && DatabaseDescriptor.getDiskAccessMode() == DiskAccessMode.standard
        && DatabaseDescriptor.getIndexAccessMode() == DiskAccessMode.mmap) {
      node.running.put("disk_access_mode", DiskAccessMode.mmap_index_only.name());
    }
    return node;
  }

  /** Adds the settings to a proof. */
  void tell(ServerProof proof) {
    running.forEach(
        (name, value) -> proof.withSetting(name, value, Objects.equals(value, defaults.get(name))));
  }

  private static void collect(String prefix, Object options, Map<String, Object> into) {
    for (Field field : options.getClass().getFields()) {
      int modifiers = field.getModifiers();
      String name = prefix + field.getName();
      if (Modifier.isStatic(modifiers) || OF_ONE_NODE.contains(name)) {
        continue;
      }
      try {
        add(name, field.get(options), into);
      } catch (IllegalAccessException e) {
        throw new IllegalStateException("reading the setting " + name + " failed", e);
      }
    }
  }

  private static void add(String name, Object value, Map<String, Object> into) {
    if (value instanceof Object[]) {
      into.put(name, Arrays.toString((Object[]) value));
    } else if (value instanceof Collection) {
      into.put(name, value.toString());
    } else if (value instanceof Map) {
      ((Map<?, ?>) value).forEach((key, entry) -> add(name + "." + key, entry, into));
    } else if (value instanceof ParameterizedClass) {
      ParameterizedClass named = (ParameterizedClass) value;
      Map<String, String> parameters =
          named.parameters == null ? new TreeMap<>() : new TreeMap<>(named.parameters);
      into.put(name, parameters.isEmpty() ? named.class_name : named.class_name + parameters);
    } else if (value instanceof Enum) {
      into.put(name, ((Enum<?>) value).name());
    } else if (value instanceof Number || value instanceof Boolean || value instanceof String) {
      into.put(name, value);
    } else if (value != null) {
      collect(name + ".", value, into);
    }
  }
}
