package dev.ringside.cassandra;

import dev.ringside.server.ServerSpec;
import dev.ringside.thrift.ServerOption;
import dev.ringside.thrift.TDisruptorServer;
import java.util.EnumSet;
import java.util.Set;

/**
 * The options that only the disruptor server has. What is not set stays as the server's own
 * default.
 */
final class DisruptorSettings {
  /** Those that other servers have too, of which {@link ServerOptions} tells. */
  static final Set<ServerOption> OF_ALL =
      EnumSet.of(
          ServerOption.WORKERS,
          ServerOption.MIN_WORKERS,
          ServerOption.SELECTORS,
          ServerOption.MAX_READ_BUFFER_BYTES);

  /** Those that cassandra.yaml tells. */
  static final Set<ServerOption> OF_NODE = EnumSet.of(ServerOption.MAX_FRAME_BYTES);

  private DisruptorSettings() {}

  /**
   * Sets what is set.
   *
   * @throws IllegalArgumentException with one line that names the option and what it may be
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
