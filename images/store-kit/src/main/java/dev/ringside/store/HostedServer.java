package dev.ringside.store;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * One of the servers that a store runs.
 *
 * @param name name of the server: its type, or, for a further server of a type, the type, a dash
 *     and more
 * @param type the server type, as the chart's {@code server.types} names it
 * @param port where it listens
 */
public record HostedServer(String name, String type, int port) {
  static final int MAX_PORT = 65535;

  /** Creates the server with the name of its type. */
  public HostedServer(String type, int port) {
    this(type, type, port);
  }

  /**
   * Parses a comma-separated list of {@code name:port}.
   *
   * @throws SettingsException with one line that names the error
   */
  static List<HostedServer> parse(String list, List<String> known) {
    List<HostedServer> servers = new ArrayList<>();
    Map<Object, String> taken = new HashMap<>();
    for (String item : list.split(",", -1)) {
      HostedServer server = parseOne(item.trim(), known);
      if (taken.put(server.name, item) != null || taken.put(server.port, item) != null) {
        throw new SettingsException(
            "'"
                + list
                + "' names a server or a port twice: name each server once, with its own port");
      }
      servers.add(server);
    }
    return List.copyOf(servers);
  }

  private static HostedServer parseOne(String item, List<String> known) {
    int colon = item.indexOf(':');
    String name = colon < 0 ? item : item.substring(0, colon);
    String type = typeOf(name, known);
    String port = item.substring(colon + 1);
    if (colon < 0 || !port.matches("[1-9][0-9]{0,4}") || Integer.parseInt(port) > MAX_PORT) {
      throw new SettingsException(
          "no port in '" + item + "': write server:port with a port from 1 to " + MAX_PORT);
    }
    return new HostedServer(name, type, Integer.parseInt(port));
  }

  /** Returns the longest matching type, because types can contain dashes. */
  private static String typeOf(String name, List<String> known) {
    return known.stream()
        .filter(type -> name.equals(type) || name.startsWith(type + "-"))
        .max(Comparator.comparingInt(String::length))
        .orElseThrow(
            () ->
                new SettingsException(
                    "no server is named '" + name + "': it is one of " + String.join(", ", known)));
  }

  /** Returns the variable of an option of this server alone. */
  String variable(String option) {
    return "RINGSIDE_" + name.toUpperCase(Locale.ROOT).replace('-', '_') + "_" + option;
  }

  @Override
  public String toString() {
    return name + ":" + port;
  }
}
