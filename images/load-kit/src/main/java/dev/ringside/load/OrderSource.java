package dev.ringside.load;

import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/**
 * Reads orders from the environment and gathers what is wrong with them, so that all faults are
 * told at once. A value that is wrong is replaced by one that does no harm until {@link #check} is
 * called. For one thread.
 */
public final class OrderSource {
  private final UnaryOperator<String> environment;
  private final List<String> faults = new ArrayList<>();

  /** Reads variables by that function, which returns null for one that is not set. */
  public OrderSource(UnaryOperator<String> environment) {
    this.environment = environment;
  }

  /** The variable of an experiment's parameter. */
  public static String parameter(String name) {
    return "RINGSIDE_PARAM_" + name.toUpperCase(Locale.ROOT).replace('-', '_').replace('.', '_');
  }

  /** Notes a fault: one line that names the variable, what it was and what it may be. */
  public void refuse(String fault) {
    faults.add(fault);
  }

  /**
   * Ends the reading.
   *
   * @throws OrdersException with all faults, if there are any
   */
  public void check() {
    if (!faults.isEmpty()) {
      throw new OrdersException(faults);
    }
  }

  /** The trimmed text; {@code otherwise} if it is not set or blank. */
  public String text(String name, String otherwise) {
    String value = environment.apply(name);
    return value == null || value.trim().isEmpty() ? otherwise : value.trim();
  }

  /** Whether there is anything in it. */
  public boolean has(String name) {
    return !text(name, "").isEmpty();
  }

  /** A text that is one of those known. */
  public String oneOf(String name, String otherwise, List<String> known) {
    String value = text(name, otherwise);
    if (!known.contains(value)) {
      refuse(name + " is '" + value + "': it is one of " + String.join(", ", known));
    }
    return value;
  }

  /** A whole number that must be set. */
  public int number(String name, int min) {
    return number(name, min, text(name, ""));
  }

  /** A whole number, or another if it is not set. */
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
      // answered below, with the same words
    }
    refuse(
        String.format(
            "%s is '%s': give a whole number from %d to %d", name, value, min, Integer.MAX_VALUE));
    return Math.max(1, min);
  }

  /** A number of 64 bits, with or without a sign, that must be set. */
  public long seed(String name) {
    String value = text(name, "");
    try {
      return value.startsWith("-") ? Long.parseLong(value) : Long.parseUnsignedLong(value);
    } catch (NumberFormatException e) {
      refuse(name + " is '" + value + "': give a whole number of 64 bits");
      return 0;
    }
  }

  /** Where to write. */
  public Path path(String name) {
    String value = text(name, "");
    if (value.isEmpty()) {
      refuse(name + " is empty: say where to write");
    }
    return Paths.get(value);
  }

  /** A list of {@code host:port,host:port}. */
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
