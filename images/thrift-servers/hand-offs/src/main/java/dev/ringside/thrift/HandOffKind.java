package dev.ringside.thrift;

import dev.ringside.thrift.internal.loop.Connection;
import dev.ringside.thrift.internal.loop.ServerCore;
import dev.ringside.thrift.internal.work.HandOff;
import dev.ringside.thrift.internal.work.HandOffRing;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Selects the hand-off between a server's event loops and workers, for benchmarks. */
public enum HandOffKind {
  /** The server's own hand-off: a ring on the Disruptor's sequences. */
  RING(server -> new HandOffRing<>(server.options().ringSize)),
  /** JCTools' {@code MpmcArrayQueue}. */
  JCTOOLS(JcToolsHandOff::new),
  /** The JDK's {@code LinkedTransferQueue}. */
  TRANSFER_QUEUE(TransferQueueHandOff::new),
  /** The Disruptor's worker pool with its wait strategies. */
  DISRUPTOR(DisruptorHandOff::new);

  private final Function<ServerCore, HandOff<Connection>> maker;

  HandOffKind(Function<ServerCore, HandOff<Connection>> maker) {
    this.maker = maker;
  }

  /** Sets this hand-off in a server's arguments and returns these. */
  public TDisruptorServer.Args choose(TDisruptorServer.Args args) {
    args.options.handOff = maker;
    return args;
  }

  /** Returns the name in settings, such as {@code transfer-queue}. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Returns the kind with a name.
   *
   * @throws IllegalArgumentException with a line that lists the valid names
   */
  public static HandOffKind of(String id) {
    for (HandOffKind kind : values()) {
      if (kind.id().equals(id)) {
        return kind;
      }
    }
    throw new IllegalArgumentException(
        "unknown hand-off '"
            + id
            + "': use one of "
            + Arrays.stream(values()).map(HandOffKind::id).collect(Collectors.joining(", ")));
  }
}
