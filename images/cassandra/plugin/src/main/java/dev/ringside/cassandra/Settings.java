package dev.ringside.cassandra;

import dev.ringside.server.ServerSpec;
import dev.ringside.server.ServerType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The plugin's options, read from system properties and the environment.
 *
 * <p>The environment variable {@code RINGSIDE_X_Y} has the system property {@code ringside.x.y},
 * which takes precedence. An option of one server ({@code RINGSIDE_HSHA_AGAIN_WORKERS} for
 * hsha-again, a further hsha) takes precedence over that of its type ({@code
 * RINGSIDE_HSHA_WORKERS}), which takes precedence over that of all servers ({@code
 * RINGSIDE_WORKERS}).
 */
final class Settings {
  static final String PREFIX = "RINGSIDE_";

  /** The name of Cassandra's own CQL server, which Cassandra starts before the Thrift servers. */
  static final String NATIVE = "native";

  private static final int MAX_PORT = 65_535;

  private final UnaryOperator<String> environment;
  private final UnaryOperator<String> properties;

  Settings(UnaryOperator<String> environment, UnaryOperator<String> properties) {
    this.environment = environment;
    this.properties = properties;
  }

  static Settings ofProcess() {
    return new Settings(System::getenv, System::getProperty);
  }

  /** Returns the list of Thrift servers to start; empty if the node has none. */
  String servers() {
    String value = lookup("SERVERS");
    if (value == null) {
      return ServerType.DISRUPTOR.id();
    }
    return Arrays.stream(value.split(",", -1))
        .filter(entry -> !entry.trim().startsWith(NATIVE + ":"))
        .collect(Collectors.joining(","));
  }

  /**
   * Returns the counters port; 0 for none.
   *
   * @throws IllegalArgumentException with a message of one line if it is not a port
   */
  int countersPort() {
    return port("COUNTERS_PORT");
  }

  /**
   * Returns the profile port; 0 for none.
   *
   * @throws IllegalArgumentException with a message of one line if it is not a port
   */
  int profilePort() {
    return port("PROFILE_PORT");
  }

  private int port(String name) {
    String value = lookup(name);
    if (value == null) {
      return 0;
    }
    try {
      int port = Integer.parseInt(value);
      if (port >= 1 && port <= MAX_PORT) {
        return port;
      }
    } catch (NumberFormatException e) {
      // reported below, with the same message
    }
    throw new IllegalArgumentException(
        String.format("%s%s is '%s': give a port from 1 to %d", PREFIX, name, value, MAX_PORT));
  }

  /** Returns an option of a server as text; {@code otherwise} if it is not set. */
  String text(ServerSpec server, String option, String otherwise) {
    return namesFor(server, option).stream()
        .map(this::lookup)
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(otherwise);
  }

  /**
   * Returns an option of a server as a whole number of at least {@code min}; {@code otherwise} if
   * it is not set.
   *
   * @throws IllegalArgumentException with a message of one line: the option, its value, and the
   *     values that are allowed
   */
  long number(ServerSpec server, String option, long min, long otherwise) {
    String value = text(server, option, null);
    if (value == null) {
      return otherwise;
    }
    try {
      long number = Long.parseLong(value);
      if (number >= min) {
        return number;
      }
    } catch (NumberFormatException e) {
      // reported below, with the same message
    }
    throw refused(server, option, value, "a whole number from " + min + " up");
  }

  /** Returns the same as {@link #number}, at most the greatest int. */
  int integer(ServerSpec server, String option, int min, int otherwise) {
    return (int) Math.min(Integer.MAX_VALUE, number(server, option, min, otherwise));
  }

  /**
   * Returns an option of a server as a share; {@link Share#NONE} if it is not set.
   *
   * @throws IllegalArgumentException with a message of one line: the option, its value, and the
   *     values that are allowed
   */
  Share share(ServerSpec server, String option) {
    String value = text(server, option, null);
    if (value == null) {
      return Share.NONE;
    }
    try {
      return Share.of(value);
    } catch (IllegalArgumentException e) {
      throw refused(server, option, value, e.getMessage());
    }
  }

  /** Returns the error of a wrong value of an option, with all names of the option. */
  static IllegalArgumentException refused(
      ServerSpec server, String option, String value, String needed) {
    List<String> names = namesFor(server, option);
    String others =
        names.stream().skip(1).map(name -> PREFIX + name).collect(Collectors.joining(" or "));
    return new IllegalArgumentException(
        String.format(
            "%s%s (or %s) is '%s': give %s", PREFIX, names.get(0), others, value, needed));
  }

  /** Returns the names of an option in order of precedence. */
  private static List<String> namesFor(ServerSpec server, String option) {
    List<String> names = new ArrayList<>();
    if (!server.name().equals(server.type().id())) {
      names.add(inCapitals(server.name()) + "_" + option);
    }
    names.add(inCapitals(server.type().id()) + "_" + option);
    names.add(option);
    return names;
  }

  private static String inCapitals(String name) {
    return name.toUpperCase(Locale.ROOT).replace('-', '_');
  }

  private String lookup(String name) {
    String key = PREFIX + name;
    String value = properties.apply(key.toLowerCase(Locale.ROOT).replace('_', '.'));
    if (value == null) {
      value = environment.apply(key);
    }
    return value == null || value.trim().isEmpty() ? null : value.trim();
  }
}
