package dev.ringside.load;

import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/**
 * Reads settings (orders) from the environment and collects their errors, so that all are reported
 * at once. A wrong value is replaced by a valid one until {@link #check} is called. For one thread.
 */
public final class OrderSource {
  private final UnaryOperator<String> environment;
  private final List<String> faults = new ArrayList<>();

  /**
   * Creates a source that reads variables with that function, which returns null for an unset one.
   */
  public OrderSource(UnaryOperator<String> environment) {
    this.environment = environment;
  }

  /** Returns the name of the environment variable of an experiment's parameter. */
  public static String parameter(String name) {
    return "RINGSIDE_PARAM_" + name.toUpperCase(Locale.ROOT).replace('-', '_').replace('.', '_');
  }

  /** Adds an error: one line with the variable, its value, and the values that are allowed. */
  public void refuse(String fault) {
    faults.add(fault);
  }

  /**
   * Ends the reading.
   *
   * @throws OrdersException with all errors, if there are any
   */
  public void check() {
    if (!faults.isEmpty()) {
      throw new OrdersException(faults);
    }
  }

  /** Returns the trimmed value; {@code otherwise} if it is unset or blank. */
  public String text(String name, String otherwise) {
    String value = environment.apply(name);
    return value == null || value.trim().isEmpty() ? otherwise : value.trim();
  }

  /** Reports whether the variable is set and not blank. */
  public boolean has(String name) {
    return !text(name, "").isEmpty();
  }

  /** Returns a value that must be one of {@code known}. */
  public String oneOf(String name, String otherwise, List<String> known) {
    String value = text(name, otherwise);
    if (!known.contains(value)) {
      refuse(name + " is '" + value + "': it is one of " + String.join(", ", known));
    }
    return value;
  }

  /** Returns a whole number that must be set. */
  public int number(String name, int min) {
    return number(name, min, text(name, ""));
  }

  /** Returns a whole number; {@code otherwise} if it is unset. */
  public int number(String name, int min, int otherwise) {
    return number(name, min, text(name, Integer.toString(otherwise)));
  }

  private int number(String name, int min, String value) {
    try {
      int number = Integer.parseInt(value);
      if (number >= min) {
        return number;
      }
    } catch (NumberFormatException e) {
      // reported below, with the same message
    }
    refuse(
        String.format(
            "%s is '%s': give a whole number from %d to %d", name, value, min, Integer.MAX_VALUE));
    return Math.max(1, min);
  }

  /** Returns a 64-bit number, signed or unsigned, that must be set. */
  public long seed(String name) {
    String value = text(name, "");
    try {
      return value.startsWith("-") ? Long.parseLong(value) : Long.parseUnsignedLong(value);
    } catch (NumberFormatException e) {
      refuse(name + " is '" + value + "': give a whole number of 64 bits");
      return 0;
    }
  }

  /** Returns a path that must be set. */
  public Path path(String name) {
    String value = text(name, "");
    if (value.isEmpty()) {
      refuse(name + " is empty: say where to write");
    }
    return Paths.get(value);
  }

  /** Returns the endpoints of a list of {@code host:port,host:port}. */
  public List<Endpoint> endpoints(String name) {
    return endpoints(name, text(name, ""));
  }

  List<Endpoint> endpoints(String name, String list) {
    List<Endpoint> endpoints = new ArrayList<>();
    for (String endpoint : list.split(",", -1)) {
      try {
        endpoints.add(Endpoint.of(endpoint.trim()));
      } catch (IllegalArgumentException e) {
        refuse(name + " has " + e.getMessage());
      }
    }
    return Collections.unmodifiableList(endpoints);
  }
}
