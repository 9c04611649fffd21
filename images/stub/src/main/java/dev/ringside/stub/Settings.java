package dev.ringside.stub;

import dev.ringside.server.ServerSpec;
import dev.ringside.server.ServerType;
import dev.ringside.thrift.peers.PeerOptions;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The settings of the stub, from its environment. Every error is one line that names the variable.
 */
final class Settings {
  private static final int MAX_PORT = 65535;

  private final List<ServerSpec> servers;
  private final PeerOptions options;
  private final String handler;
  private final String address;
  private final int healthPort;
  private final int profilePort;

  private Settings(UnaryOperator<String> environment) {
    String types = or(environment, "RINGSIDE_SERVERS", ServerType.DISRUPTOR.id());
    servers = ServerSpec.parseList(types, number(environment, "RINGSIDE_PORT", 1, MAX_PORT, 9090));
    int workers = number(environment, "RINGSIDE_WORKERS", 1, 10_000, 16);
    options = new PeerOptions(workers, number(environment, "RINGSIDE_SELECTORS", 1, 256, 2));
    handler = or(environment, "RINGSIDE_HANDLER", "at-once");
    address = or(environment, "RINGSIDE_ADDRESS", "127.0.0.1");
    healthPort = number(environment, "RINGSIDE_HEALTH_PORT", 1, MAX_PORT, 8080);
    profilePort = number(environment, "RINGSIDE_PROFILE_PORT", 0, MAX_PORT, 0);
  }

  /**
   * Reads the environment.
   *
   * @throws IllegalArgumentException with a message of one line that names the error
   */
  static Settings of(UnaryOperator<String> environment) {
    return new Settings(environment);
  }

  /**
   * Returns RINGSIDE_SERVERS: a list of {@code type[:port]}; ports start at RINGSIDE_PORT (9090).
   */
  List<ServerSpec> servers() {
    return servers;
  }

  /** Returns RINGSIDE_WORKERS (16) and RINGSIDE_SELECTORS (2), the same for every server. */
  PeerOptions options() {
    return options;
  }

  /** Returns RINGSIDE_HANDLER: what the handler does before it answers; see {@link HandlerMode}. */
  String handler() {
    return handler;
  }

  /** Returns RINGSIDE_ADDRESS: the address of the servers and the health endpoint. */
  String address() {
    return address;
  }

  /** Returns RINGSIDE_HEALTH_PORT (8080): HTTP, {@code /ready} and {@code /live}. */
  int healthPort() {
    return healthPort;
  }

  /** Returns RINGSIDE_PROFILE_PORT (0): the profile port; 0 for none. */
  int profilePort() {
    return profilePort;
  }

  private static String or(UnaryOperator<String> environment, String name, String otherwise) {
    String value = environment.apply(name);
    return value == null || value.trim().isEmpty() ? otherwise : value.trim();
  }

  private static int number(
      UnaryOperator<String> environment, String name, int min, int max, int otherwise) {
    String value = or(environment, name, Integer.toString(otherwise));
    try {
      int number = Integer.parseInt(value);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // reported below, with the same message
    }
    throw new IllegalArgumentException(
        String.format("%s is '%s': give a whole number from %d to %d", name, value, min, max));
  }
}
