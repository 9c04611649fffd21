package dev.ringside.store;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Reads a store's settings from the environment and collects their errors, so that all are reported
 * at once. A wrong value is replaced by the default until {@link #check} is called. For one thread.
 */
public final class Settings {
  private final UnaryOperator<String> environment;
  private final List<String> faults = new ArrayList<>();

  /**
   * Creates a reader that reads variables with that function, which returns null for an unset one.
   */
  public Settings(UnaryOperator<String> environment) {
    this.environment = environment;
  }

  /** Adds an error: one line with the variable, its value, and the values that are allowed. */
  public void refuse(String fault) {
    faults.add(fault);
  }

  /**
   * Ends the reading.
   *
   * @throws SettingsException with all errors, if there are any
   */
  public void check() {
    if (!faults.isEmpty()) {
      throw new SettingsException(faults);
    }
  }

  /** Returns the trimmed value; {@code otherwise} if it is unset or blank. */
  public String text(String name, String otherwise) {
    String value = environment.apply(name);
    return value == null || value.isBlank() ? otherwise : value.trim();
  }

  /** Returns a value that must be one of {@code known}. */
  public String oneOf(String name, String otherwise, List<String> known) {
    String value = text(name, otherwise);
    if (known.contains(value)) {
      return value;
    }
    refuse(name + " is '" + value + "': it is one of " + String.join(", ", known));
    return otherwise;
  }

  /** Returns a value that must be {@code true} or {@code false}. */
  public boolean flag(String name, boolean otherwise) {
    return oneOf(name, Boolean.toString(otherwise), List.of("true", "false")).equals("true");
  }

  /** Returns a whole number from {@code min} to {@code max}. */
  public int number(String name, int min, int max, int otherwise) {
    String value = text(name, Integer.toString(otherwise));
    try {
      int number = Integer.parseInt(value);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // reported below, with the same message
    }
    refuse(String.format("%s is '%s': give a whole number from %d to %d", name, value, min, max));
    return otherwise;
  }

  /** Returns a TCP or UDP port. */
  public int port(String name, int otherwise) {
    return number(name, 1, HostedServer.MAX_PORT, otherwise);
  }

  /** Returns a TCP or UDP port, or 0 for none. */
  public int portOrNone(String name, int otherwise) {
    return number(name, 0, HostedServer.MAX_PORT, otherwise);
  }

  /**
   * Returns the variable of an option of a server: {@code RINGSIDE_<SERVER>_<OPTION>} if it is set,
   * else {@code RINGSIDE_<OPTION>}, which applies to all servers.
   *
   * @param option in upper case
   */
  public String variable(HostedServer server, String option) {
    String own = server.variable(option);
    return text(own, "").isEmpty() ? "RINGSIDE_" + option : own;
  }

  /**
   * Returns the servers of a comma-separated list of {@code server:port}. The name of a server is a
   * known type, or a type, a dash and more.
   */
  public List<HostedServer> servers(String name, String otherwise, List<String> known) {
    try {
      return HostedServer.parse(text(name, otherwise), known);
    } catch (SettingsException e) {
      refuse(name + ": " + e.getMessage());
      return List.of();
    }
  }
}
