package dev.ringside.cassandra;

import dev.ringside.server.ServerSpec;
import dev.ringside.thrift.ServerOption;
import dev.ringside.thrift.TDisruptorServer;
import java.util.EnumSet;
import java.util.Set;

/**
 * The options that only the disruptor server has. An option that is not set keeps the server's
 * default.
 */
final class DisruptorSettings {
  /** Options that other servers have too; {@link ServerOptions} provides them. */
  static final Set<ServerOption> OF_ALL =
      EnumSet.of(
          ServerOption.WORKERS,
          ServerOption.MIN_WORKERS,
          ServerOption.SELECTORS,
          ServerOption.MAX_READ_BUFFER_BYTES);

  /** Options that cassandra.yaml provides. */
  static final Set<ServerOption> OF_NODE = EnumSet.of(ServerOption.MAX_FRAME_BYTES);

  private DisruptorSettings() {}

  /**
   * Applies the options that are set.
   *
   * @throws IllegalArgumentException with a message of one line: the option and the values that are
   *     allowed
   */
  static void apply(Settings settings, ServerSpec server, TDisruptorServer.Args args) {
    for (ServerOption option : ServerOption.values()) {
      String text =
          OF_ALL.contains(option) || OF_NODE.contains(option)
              ? null
              : settings.text(server, option.name(), null);
      if (text == null) {
        continue;
      }
      try {
        option.set(args, text);
      } catch (IllegalArgumentException e) {
        throw Settings.refused(server, option.name(), text, option.needed());
      }
    }
  }
}
