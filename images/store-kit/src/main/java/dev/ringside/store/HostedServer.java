package dev.ringside.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One of the servers that a store runs.
 *
 * @param type the server type, as the chart's {@code server.types} names it
 * @param port where it listens
 */
public record HostedServer(String type, int port) {
  static final int MAX_PORT = 65535;

  /**
   * Reads a comma list of {@code type:port}.
   *
   * @throws SettingsException with one line that names the fault
   */
  static List<HostedServer> parse(String list, List<String> known) {
    List<HostedServer> servers = new ArrayList<>();
    Map<Object, String> taken = new HashMap<>();
    for (String item : list.split(",", -1)) {
      HostedServer server = parseOne(item.trim(), known);
      if (taken.put(server.type, item) != null || taken.put(server.port, item) != null) {
        throw new SettingsException(
            "'"
                + list
                + "' names a server or a port twice: name each type once, with its own port");
      }
      servers.add(server);
    }
    return List.copyOf(servers);
  }

  private static HostedServer parseOne(String item, List<String> known) {
    int colon = item.indexOf(':');
    String type = colon < 0 ? item : item.substring(0, colon);
    if (!known.contains(type)) {
      throw new SettingsException(
          "no server is named '" + type + "': it is one of " + String.join(", ", known));
    }
    String port = item.substring(colon + 1);
    if (colon < 0 || !port.matches("[1-9][0-9]{0,4}") || Integer.parseInt(port) > MAX_PORT) {
      throw new SettingsException(
          "no port in '" + item + "': write type:port with a port from 1 to " + MAX_PORT);
    }
    return new HostedServer(type, Integer.parseInt(port));
  }

  @Override
  public String toString() {
    return type + ":" + port;
  }
}
