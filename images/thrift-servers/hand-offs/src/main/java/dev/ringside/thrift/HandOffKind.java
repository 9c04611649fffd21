package dev.ringside.thrift;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What can be between the event loops and the workers of a server, for benchmarks. */
public enum HandOffKind {
  /** The server's own: a ring on the Disruptor's sequences. */
  RING(server -> new HandOffRing<>(server.options().ringSize)),
  /** JCTools' {@code MpmcArrayQueue}. */
  JCTOOLS(JcToolsHandOff::new),
  /** The JDK's {@code LinkedTransferQueue}. */
  TRANSFER_QUEUE(TransferQueueHandOff::new),
  /** The Disruptor's own worker pool, waiting as its wait strategies do. */
  DISRUPTOR(DisruptorHandOff::new);

  private final Function<TDisruptorServer, HandOff<Connection>> maker;

  HandOffKind(Function<TDisruptorServer, HandOff<Connection>> maker) {
    this.maker = maker;
  }

  /** Has the server that is made with these arguments use it; returns them. */
  public TDisruptorServer.Args choose(TDisruptorServer.Args args) {
    args.handOff = maker;
    return args;
  }

  /** The name that users write, such as {@code transfer-queue}. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The one of that name.
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
