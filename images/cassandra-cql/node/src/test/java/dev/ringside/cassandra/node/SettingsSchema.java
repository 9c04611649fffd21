package dev.ringside.cassandra.node;

import java.lang.reflect.Constructor;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.cassandra.config.ParameterizedClass;
import org.apache.cassandra.config.Properties;
import org.yaml.snakeyaml.introspector.Property;

/**
 * Writes the JSON schema of cassandra.yaml from the properties that Cassandra's own loader finds in
 * the class of the settings: one line per setting. Names that Cassandra has replaced are left out.
 */
final class SettingsSchema {
  private static final List<String> UNITS =
      List.of(
          "d", "h", "m", "s", "ms", "us", "ns", "B", "KiB", "MiB", "GiB", "B/s", "KiB/s", "MiB/s");

  private SettingsSchema() {}

  /** Returns the schema of all settings of {@code config}, in order. */
  static String of(Class<?> config, String version) {
    String settings =
        properties(config).values().stream()
            .map(setting -> "    " + quoted(setting.getName()) + ": " + schema(setting))
            .collect(Collectors.joining(",\n"));
    return "{\n"
        + ("  \"title\": \"cassandra.yaml of Cassandra " + version + "\",\n")
        + "  \"type\": \"object\",\n"
        + "  \"additionalProperties\": false,\n"
        + ("  \"properties\": {\n" + settings + "\n  }\n")
        + "}\n";
  }

  /** Returns what a YAML document can set, by name. */
  static Map<String, Property> properties(Class<?> type) {
    Map<String, Property> properties =
        new TreeMap<>(Properties.defaultLoader().getProperties(type));
    properties.values().removeIf(property -> !property.isWritable());
    return properties;
  }

  private static String schema(Property property) {
    Class<?> type = property.getType();
    Class<?>[] arguments = property.getActualTypeArguments();
    if (type.isArray() || Collection.class.isAssignableFrom(type)) {
      return "{\"type\": \"array\", \"items\": " + schema(arguments[0]) + "}";
    }
    if (Map.class.isAssignableFrom(type)) {
      return "{\"type\": \"object\", \"additionalProperties\": " + schema(arguments[1]) + "}";
    }
    return schema(type);
  }

  private static String schema(Class<?> type) {
    if (type == boolean.class || type == Boolean.class) {
      return "{\"type\": \"boolean\"}";
    }
    if (type == int.class || type == Integer.class) {
      return String.format(
          "{\"type\": \"integer\", \"minimum\": %d, \"maximum\": %d}",
          Integer.MIN_VALUE, Integer.MAX_VALUE);
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
    if (ParameterizedClass.class.isAssignableFrom(type)) {
      return "{\"type\": [\"string\", \"object\", \"array\"]}"; // a class, with its parameters
    }
    List<String> units = unitsOf(type);
    if (!units.isEmpty()) {
      return "{\"type\": \"string\", \"pattern\": \"^[0-9]+(" + String.join("|", units) + ")$\"}";
    }
    Map<String, Property> properties = properties(type);
    if (properties.isEmpty()) {
      return "{}";
    }
    return properties.values().stream()
        .map(property -> quoted(property.getName()) + ": " + schema(property))
        .collect(
            Collectors.joining(
                ", ",
                "{\"type\": \"object\", \"additionalProperties\": false, \"properties\": {",
                "}}"));
  }

  /** Returns the units that a quantity may have; none if the type is not a quantity. */
  static List<String> unitsOf(Class<?> type) {
    try {
      Constructor<?> ofText = type.getConstructor(String.class);
      return UNITS.stream()
          .filter(unit -> accepts(ofText, "3" + unit))
          .collect(Collectors.toList());
    } catch (NoSuchMethodException e) {
      return List.of();
    }
  }

  private static boolean accepts(Constructor<?> ofText, String text) {
    try {
      ofText.newInstance(text);
      return true;
    } catch (ReflectiveOperationException e) {
      return false;
    }
  }

  private static String quoted(String text) {
    return '"' + text + '"';
  }

  /** Returns a value that the schema accepts; none for settings with an inner structure. */
  static Stream<Object> sample(Property property) {
    Class<?> type = property.getType();
    List<String> units = type.isPrimitive() ? List.of() : unitsOf(type);
    if (type == boolean.class || type == Boolean.class) {
      return Stream.of(true);
    }
    if (type.isPrimitive() || Number.class.isAssignableFrom(type)) {
      return Stream.of(3);
    }
    if (type == String.class) {
      return Stream.of("one");
    }
    if (type.isEnum()) {
      return Stream.of(((Enum<?>) type.getEnumConstants()[0]).name());
    }
    return units.isEmpty() ? Stream.empty() : Stream.of("3" + units.get(0));
  }
}
