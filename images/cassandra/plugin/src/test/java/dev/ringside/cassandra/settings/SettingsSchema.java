package dev.ringside.cassandra.settings;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.cassandra.config.ParameterizedClass;

/**
 * Writes the JSON schema of cassandra.yaml from the class that Cassandra loads it into: one line
 * per setting.
 */
final class SettingsSchema {
  /** Those that Cassandra 3.11 turns into bytes in an {@code int}: larger ones would overflow. */
  private static final Set<String> BYTES_IN_AN_INT =
      Set.of(
          "batch_size_warn_threshold_in_kb",
          "column_index_cache_size_in_kb",
          "column_index_size_in_kb",
          "commitlog_segment_size_in_mb",
          "max_mutation_size_in_kb",
          "max_value_size_in_mb",
          "native_transport_max_frame_size_in_mb",
          "thrift_framed_transport_size_in_mb");

  /** Where Cassandra 3.11 does not start with less: see DatabaseDescriptor. */
  private static final Map<String, Integer> LEAST =
      Map.of(
          "commitlog_segment_size_in_mb", 1,
          "concurrent_compactors", 1,
          "concurrent_counter_writes", 2,
          "concurrent_reads", 2,
          "concurrent_writes", 2,
          "max_value_size_in_mb", 1,
          "memtable_heap_space_in_mb", 1,
          "memtable_offheap_space_in_mb", 1,
          "native_transport_max_frame_size_in_mb", 1,
          "thrift_framed_transport_size_in_mb", 1);

  private SettingsSchema() {}

  /** Returns the schema of all settings of {@code config}, in order. */
  static String of(Class<?> config, String version) {
    String settings =
        properties(config).entrySet().stream()
            .map(setting -> "    " + quoted(setting.getKey()) + ": " + schema(setting))
            .collect(Collectors.joining(",\n"));
    return "{\n"
        + ("  \"title\": \"cassandra.yaml of Cassandra " + version + "\",\n")
        + "  \"type\": \"object\",\n"
        + "  \"additionalProperties\": false,\n"
        + ("  \"properties\": {\n" + settings + "\n  }\n")
        + "}\n";
  }

  /** Returns the types of the fields that a YAML document can set, by name. */
  static Map<String, Type> properties(Class<?> type) {
    Map<String, Type> properties = new TreeMap<>();
    for (Field field : type.getFields()) {
      int modifiers = field.getModifiers();
      if (!Modifier.isStatic(modifiers) && !Modifier.isFinal(modifiers)) {
        properties.put(field.getName(), field.getGenericType());
      }
    }
    return properties;
  }

  private static String schema(Map.Entry<String, Type> setting) {
    String name = setting.getKey();
    int least = LEAST.getOrDefault(name, Integer.MIN_VALUE);
    if (BYTES_IN_AN_INT.contains(name)) {
      return integer(least, Integer.MAX_VALUE >> (name.endsWith("_mb") ? 20 : 10));
    }
    return LEAST.containsKey(name) ? integer(least, Integer.MAX_VALUE) : schema(setting.getValue());
  }

  private static String integer(int minimum, int maximum) {
    return String.format(
        "{\"type\": \"integer\", \"minimum\": %d, \"maximum\": %d}", minimum, maximum);
  }

  private static String schema(Type type) {
    if (type instanceof ParameterizedType) {
      ParameterizedType generic = (ParameterizedType) type;
      Type[] arguments = generic.getActualTypeArguments();
      Class<?> raw = (Class<?>) generic.getRawType();
      if (Collection.class.isAssignableFrom(raw)) {
        return list(arguments[0]);
      }
      if (Map.class.isAssignableFrom(raw)) {
        return "{\"type\": \"object\", \"additionalProperties\": " + schema(arguments[1]) + "}";
      }
    }
    return schemaOfClass((Class<?>) type);
  }

  private static String schemaOfClass(Class<?> type) {
    if (type == boolean.class || type == Boolean.class) {
      return "{\"type\": \"boolean\"}";
    }
    if (type == int.class || type == Integer.class) {
      return integer(Integer.MIN_VALUE, Integer.MAX_VALUE);
    }
    if (type == long.class || type == Long.class) {
      return "{\"type\": \"integer\"}";
    }
    if (List.of(double.class, Double.class, float.class, Float.class).contains(type)) {
      return "{\"type\": \"number\"}";
    }
    if (type == String.class) {
      return "{\"type\": \"string\"}";
    }
    if (type.isEnum()) {
      return Arrays.stream(type.getEnumConstants())
          .map(constant -> quoted(((Enum<?>) constant).name()))
          .collect(Collectors.joining(", ", "{\"type\": \"string\", \"enum\": [", "]}"));
    }
    if (type.isArray()) {
      return list(type.getComponentType());
    }
    if (type == ParameterizedClass.class) {
      return namedClass();
    }
    Map<String, Type> properties = properties(type);
    if (properties.isEmpty()) {
      throw new IllegalArgumentException("no schema is known for " + type);
    }
    return properties.entrySet().stream()
        .map(property -> quoted(property.getKey()) + ": " + schema(property.getValue()))
        .collect(
            Collectors.joining(
                ", ",
                "{\"type\": \"object\", \"additionalProperties\": false, \"properties\": {",
                "}}"));
  }

  private static String list(Type element) {
    return "{\"type\": \"array\", \"items\": " + schema(element) + "}";
  }

  /**
   * Returns the schema of a class with parameters, which is a list of one element in
   * cassandra.yaml.
   */
  private static String namedClass() {
    String parameters =
        "{\"type\": \"array\", \"maxItems\": 1, \"items\": {\"type\": \"object\","
            + " \"additionalProperties\": {\"type\": \"string\"}}}";
    return "{\"type\": \"array\", \"minItems\": 1, \"maxItems\": 1, \"items\": {\"type\": \"object\","
        + " \"additionalProperties\": false, \"required\": [\"class_name\"], \"properties\":"
        + " {\"class_name\": {\"type\": \"string\"}, \"parameters\": "
        + parameters
        + "}}}";
  }

  private static String quoted(String text) {
    return '"' + text + '"';
  }
}
