package dev.ringside.store;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Reads a store's settings from the environment and gathers what is wrong with them, so that all
 * faults are told at once. A value that is wrong is replaced by the usual one until {@link #check}
 * is called. For one thread.
 */
public final class Settings {
  private final UnaryOperator<String> environment;
  private final List<String> faults = new ArrayList<>();

  /** Reads variables by that function, which returns null for one that is not set. */
  public Settings(UnaryOperator<String> environment) {
    this.environment = environment;
  }

  /** Notes a fault: one line that names the variable, what it was and what it may be. */
  public void refuse(String fault) {
    faults.add(fault);
  }

  /**
   * Ends the reading.
   *
   * @throws SettingsException with all faults, if there are any
   */
  public void check() {
    if (!faults.isEmpty()) {
      throw new SettingsException(faults);
    }
  }

  /** The trimmed text; {@code otherwise} if it is not set or blank. */
  public String text(String name, String otherwise) {
    String value = environment.apply(name);
    return value == null || value.isBlank() ? otherwise : value.trim();
  }

  /** A text that is one of those known. */
  public String oneOf(String name, String otherwise, List<String> known) {
    String value = text(name, otherwise);
    if (known.contains(value)) {
      return value;
    }
    refuse(name + " is '" + value + "': it is one of " + String.join(", ", known));
    return otherwise;
  }

  /** {@code true} or {@code false}. */
  public boolean flag(String name, boolean otherwise) {
    return oneOf(name, Boolean.toString(otherwise), List.of("true", "false")).equals("true");
  }

  /** A whole number from {@code min} to {@code max}. */
  public int number(String name, int min, int max, int otherwise) {
    String value = text(name, Integer.toString(otherwise));
    try {
      int number = Integer.parseInt(value);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // answered below, with the same words
    }
    refuse(String.format("%s is '%s': give a whole number from %d to %d", name, value, min, max));
    return otherwise;
  }

  /** A TCP or UDP port. */
  public int port(String name, int otherwise) {
    return number(name, 1, HostedServer.MAX_PORT, otherwise);
  }

  /** A TCP or UDP port, or 0 for none. */
  public int portOrNone(String name, int otherwise) {
    return number(name, 0, HostedServer.MAX_PORT, otherwise);
  }

  /**
   * The variable to read an option of a server from: {@code RINGSIDE_<SERVER>_<OPTION>} where that
   * is set, else {@code RINGSIDE_<OPTION>}, which is for all of them.
   *
   * @param option in upper case
   */
  public String variable(HostedServer server, String option) {
    String own = server.variable(option);
    return text(own, "").isEmpty() ? "RINGSIDE_" + option : own;
  }

  /** A comma list of {@code server:port}: a type of those known, or a type, a dash and more. */
  public List<HostedServer> servers(String name, String otherwise, List<String> known) {
    try {
      return HostedServer.parse(text(name, otherwise), known);
    } catch (SettingsException e) {
      refuse(name + ": " + e.getMessage());
      return List.of();
    }
  }
}
