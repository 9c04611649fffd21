package dev.ringside.udp.echo;

import dev.ringside.store.HostedServer;
import dev.ringside.store.Settings;
import dev.ringside.store.SettingsException;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Holds the settings of the process from its environment.
 *
 * @param servers RINGSIDE_SERVERS: a list of {@code type:port}
 * @param handlerName RINGSIDE_HANDLER: the handler of texts; see {@link Handlers}
 * @param handler the handler of that name
 * @param options RINGSIDE_HANDLERS, RINGSIDE_SLOTS, RINGSIDE_RECEIVE_BUFFER
 * @param address RINGSIDE_ADDRESS: where the servers, the probes and the metrics listen
 * @param probesPort RINGSIDE_PROBES_PORT
 * @param metricsPort RINGSIDE_METRICS_PORT
 * @param countersPort RINGSIDE_COUNTERS_PORT
 * @param profilePort RINGSIDE_PROFILE_PORT; 0 for none
 */
record EchoSettings(
    List<HostedServer> servers,
    String handlerName,
    Handler handler,
    Options options,
    String address,
    int probesPort,
    int metricsPort,
    int countersPort,
    int profilePort) {
  private static final int MAX_HANDLERS = 256;
  private static final int MAX_SLOTS = 1 << 16;
  private static final int MAX_RECEIVE_BUFFER = 1 << 28;

  /**
   * Reads the environment. Calibrates a handler that uses CPU time.
   *
   * @throws SettingsException with one line that lists all errors
   */
  static EchoSettings of(UnaryOperator<String> environment) {
    Settings in = new Settings(environment);
    String name = in.text("RINGSIDE_HANDLER", "upper-case");
    EchoSettings settings =
        new EchoSettings(
            in.servers("RINGSIDE_SERVERS", "disruptor-sleeping:9000", EchoType.ids()),
            name,
            handler(in, name),
            new Options(
                in.number("RINGSIDE_HANDLERS", 1, MAX_HANDLERS, Options.PUBLISHED.handlers()),
                in.number("RINGSIDE_SLOTS", 1, MAX_SLOTS, Options.PUBLISHED.slots()),
                in.number("RINGSIDE_RECEIVE_BUFFER", 0, MAX_RECEIVE_BUFFER, 0)),
            in.text("RINGSIDE_ADDRESS", "127.0.0.1"),
            in.port("RINGSIDE_PROBES_PORT", 8080),
            in.port("RINGSIDE_METRICS_PORT", 9404),
            in.port("RINGSIDE_COUNTERS_PORT", 9405),
            in.portOrNone("RINGSIDE_PROFILE_PORT", 0));
    if (Integer.bitCount(settings.options().slots()) != 1) {
      in.refuse("RINGSIDE_SLOTS is '" + settings.options().slots() + "': give a power of two");
    }
    in.check();
    return settings;
  }

  private static Handler handler(Settings in, String name) {
    try {
      return Handlers.parse(name);
    } catch (IllegalArgumentException e) {
      in.refuse("RINGSIDE_HANDLER: " + e.getMessage());
      return new UpperCase();
    }
  }
}
