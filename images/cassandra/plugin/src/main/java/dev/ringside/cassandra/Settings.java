package dev.ringside.cassandra;

import dev.ringside.thrift.ServerType;
import java.util.Locale;
import java.util.function.UnaryOperator;

/**
 * The plugin's options, read from system properties and the environment.
 *
 * <p>An option named {@code RINGSIDE_X_Y} in the environment is {@code ringside.x.y} as a system
 * property; the property wins. An option of one server ({@code RINGSIDE_HSHA_WORKERS}) wins over
 * the one for all servers ({@code RINGSIDE_WORKERS}).
 */
final class Settings {
  static final String PREFIX = "RINGSIDE_";

  private final UnaryOperator<String> environment;
  private final UnaryOperator<String> properties;

  Settings(UnaryOperator<String> environment, UnaryOperator<String> properties) {
    this.environment = environment;
    this.properties = properties;
  }

  static Settings ofProcess() {
    return new Settings(System::getenv, System::getProperty);
  }

  /** The list of servers to start. */
  String servers() {
    String value = lookup("SERVERS");
    return value == null ? ServerType.DISRUPTOR.id() : value;
  }

  /** An option of a server as text, or {@code otherwise} if it is not set. */
  String text(ServerType server, String option, String otherwise) {
    String value = lookup(nameFor(server, option));
    if (value == null) {
      value = lookup(option);
    }
    return value == null ? otherwise : value;
  }

  /**
   * An option of a server as a whole number from {@code min} up, or {@code otherwise} if it is not
   * set.
   *
   * @throws IllegalArgumentException with one line that names the option, what it was and what it
   *     may be
   */
  long number(ServerType server, String option, long min, long otherwise) {
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
      // answered below, with the same words
    }
    throw new IllegalArgumentException(
        String.format(
            "%s%s (or %s%s) is '%s': give a whole number from %d up",
            PREFIX, nameFor(server, option), PREFIX, option, value, min));
  }

  /** Like {@link #number} for values that fit an int. */
  int integer(ServerType server, String option, int min, int otherwise) {
    return (int) Math.min(Integer.MAX_VALUE, number(server, option, min, otherwise));
  }

  private static String nameFor(ServerType server, String option) {
    return server.id().toUpperCase(Locale.ROOT) + "_" + option;
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
