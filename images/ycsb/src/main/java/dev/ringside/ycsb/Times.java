package dev.ringside.ycsb;

import dev.ringside.load.LoadLog;
import dev.ringside.load.LoadLog.Channel;
import java.util.EnumMap;
import java.util.Map;

/** Records the times of each kind of operation in the log. Safe for any number of threads. */
final class Times {
  private final Map<Kind, Channel> channels = new EnumMap<>(Kind.class);

  /** Creates the channels in a log that has not started. */
  Times(LoadLog log) {
    for (Kind kind : Kind.values()) {
      channels.put(kind, log.channel(kind.name()));
    }
  }

  Channel of(Kind kind) {
    return channels.get(kind);
  }
}
