package dev.ringside.thrift;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One server to start: its type and the port it listens on. */
public final class ServerSpec {
  private static final int MAX_PORT = 65535;

  private final ServerType type;
  private final int port;

  /** A server of that type on that port. */
  public ServerSpec(ServerType type, int port) {
    this.type = type;
    this.port = port;
  }

  /** Which server. */
  public ServerType type() {
    return type;
  }

  /** Its port, 1 to 65535. */
  public int port() {
    return port;
  }

  /**
   * Reads a comma list of {@code type[:port]}. A server without a port gets {@code basePort} plus
   * its place in the list (the first one {@code basePort}, the second one {@code basePort + 1},
   * ...).
   *
   * @throws IllegalArgumentException with one line that names the fault: nothing in the list, an
   *     unknown type, a type named twice, a port that is none, two servers on one port
   */
  public static List<ServerSpec> parseList(String list, int basePort) {
    Set<ServerType> seen = EnumSet.noneOf(ServerType.class);
    Map<Integer, ServerType> ports = new HashMap<>();
    List<ServerSpec> specs = new ArrayList<>();
    for (String item : list.split(",", -1)) {
      ServerSpec spec = parse(item.trim(), list, basePort + specs.size());
      if (!seen.add(spec.type)) {
        throw new IllegalArgumentException(
            "server type '"
                + spec.type
                + "' is named twice in '"
                + list
                + "': name each type once");
      }
      ServerType other = ports.put(spec.port, spec.type);
      if (other != null) {
        throw new IllegalArgumentException(
            String.format(
                "port %d is given to both '%s' and '%s' in '%s': give each server its own port",
                spec.port, other, spec.type, list));
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
      return new ServerSpec(ServerType.of(item), checkedPort(defaultPort, item));
    }
    ServerType type = ServerType.of(item.substring(0, colon).trim());
    try {
      return new ServerSpec(
          type, checkedPort(Integer.parseInt(item.substring(colon + 1).trim()), item));
    } catch (NumberFormatException e) {
      throw badPort(item);
    }
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
    return type + ":" + port;
  }
}
