package dev.ringside.store;

import java.util.Collection;

/**
 * The ports of a store other than those of its servers.
 *
 * @param address RINGSIDE_ADDRESS: the address of all ports, also of the servers
 * @param health RINGSIDE_HEALTH_PORT (8079): {@code /ready} and {@code /live}
 * @param metrics RINGSIDE_METRICS_PORT (9404); 0 for none
 * @param counters RINGSIDE_COUNTERS_PORT (9405), UDP; 0 for none
 * @param profile RINGSIDE_PROFILE_PORT (0); 0 for none
 * @param kill RINGSIDE_KILL_PORT (0), see {@link KillPort}; 0 for none
 */
public record ManagementPorts(
    String address, int health, int metrics, int counters, int profile, int kill) {

  /** Reads the environment; {@link Settings#check} reports the errors. */
  public static ManagementPorts of(Settings in) {
    return new ManagementPorts(
        in.text("RINGSIDE_ADDRESS", "127.0.0.1"),
        in.port("RINGSIDE_HEALTH_PORT", 8079),
        in.portOrNone("RINGSIDE_METRICS_PORT", 9404),
        in.portOrNone("RINGSIDE_COUNTERS_PORT", 9405),
        in.portOrNone("RINGSIDE_PROFILE_PORT", 0),
        in.portOrNone("RINGSIDE_KILL_PORT", 0));
  }

  /** Returns the error of a store that cannot bind its ports. */
  public SettingsException taken(Collection<HostedServer> servers, Exception why) {
    return new SettingsException(
        String.format(
            "cannot listen on %s, servers %s, ports %d (health), %d (metrics), %d (counters), %d"
                + " (profile), %d (kill): is one in use? (%s)",
            address, servers, health, metrics, counters, profile, kill, why.getMessage()));
  }
}
