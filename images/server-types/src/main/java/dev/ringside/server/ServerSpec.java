package dev.ringside.server;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** A server to start: its name, its type and its port. */
public final class ServerSpec {
  private static final int MAX_PORT = 65535;

  /** Separates the type from the rest of the name of a further server. No type contains it. */
  private static final char SEPARATOR = '-';

  private static final Pattern SUFFIX = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");

  private final String name;
  private final ServerType type;
  private final int port;

  /** Creates the server of that type, with the name of the type. */
  public ServerSpec(ServerType type, int port) {
    this(type.id(), type, port);
  }

  private ServerSpec(String name, ServerType type, int port) {
    this.name = name;
    this.type = type;
    this.port = port;
  }

  /**
   * Returns the name that distinguishes the server from the others of the process: its type, or,
   * for a further server of a type, the type and a suffix.
   */
  public String name() {
    return name;
  }

  /** Returns the type of the server. */
  public ServerType type() {
    return type;
  }

  /** Returns the port, 1 to 65535. */
  public int port() {
    return port;
  }

  /**
   * Parses a comma-separated list of {@code name[:port]}. A name is a type, or a type, a dash and
   * more for a further server of that type ({@code hsha-again}). A server without a port gets
   * {@code basePort} plus its index in the list, from 0.
   *
   * @throws IllegalArgumentException with a message of one line: an empty list, an unknown type, a
   *     duplicate name, an invalid port, or two servers on one port
   */
  public static List<ServerSpec> parseList(String list, int basePort) {
    Set<String> seen = new HashSet<>();
    Map<Integer, String> ports = new HashMap<>();
    List<ServerSpec> specs = new ArrayList<>();
    for (String item : list.split(",", -1)) {
      ServerSpec spec = parse(item.trim(), list, basePort + specs.size());
      if (!seen.add(spec.name)) {
        throw new IllegalArgumentException(
            String.format(
                "server '%s' is named twice in '%s': name each once, a further one of its type as"
                    + " in %s-again",
                spec.name, list, spec.type));
      }
      String other = ports.put(spec.port, spec.name);
      if (other != null) {
        throw new IllegalArgumentException(
            String.format(
                "port %d is given to both '%s' and '%s' in '%s': give each server its own port",
                spec.port, other, spec.name, list));
      }
      specs.add(spec);
    }
    return Collections.unmodifiableList(specs);
  }

  private static ServerSpec parse(String item, String list, int defaultPort) {
    if (item.isEmpty()) {
      throw new IllegalArgumentException(
          "empty server type in '" + list + "': use one of " + ServerType.names());
    }
    int colon = item.indexOf(':');
    if (colon < 0) {
      return new ServerSpec(item, typeOf(item), checkedPort(defaultPort, item));
    }
    String name = item.substring(0, colon).trim();
    ServerType type = typeOf(name);
    try {
      return new ServerSpec(
          name, type, checkedPort(Integer.parseInt(item.substring(colon + 1).trim()), item));
    } catch (NumberFormatException e) {
      throw badPort(item);
    }
  }

  private static ServerType typeOf(String name) {
    int separator = name.indexOf(SEPARATOR);
    if (separator < 0) {
      return ServerType.of(name);
    }
    if (!SUFFIX.matcher(name.substring(separator + 1)).matches()) {
      throw new IllegalArgumentException(
          "no valid server name in '"
              + name
              + "': after the type and its dash write small letters, digits and single dashes");
    }
    return ServerType.of(name.substring(0, separator));
  }

  private static int checkedPort(int port, String item) {
    if (port < 1 || port > MAX_PORT) {
      throw badPort(item);
    }
    return port;
  }

  private static IllegalArgumentException badPort(String item) {
    return new IllegalArgumentException(
        "no valid port in '" + item + "': write type:port with a port from 1 to " + MAX_PORT);
  }

  @Override
  public String toString() {
    return name + ":" + port;
  }
}
