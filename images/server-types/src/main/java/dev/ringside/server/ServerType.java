package dev.ringside.server;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * The Thrift servers that Ringside compares. The names of the servers are written here and nowhere
 * else.
 */
public enum ServerType {
  /** libthrift's TSimpleServer: one connection at a time, for tests only. */
  SIMPLE("simple", Model.THREAD_PER_CONNECTION),
  /** libthrift's TNonblockingServer: one thread reads, executes and writes. */
  NONBLOCKING("nonblocking", Model.EVENT_LOOP),
  /** libthrift's THsHaServer: one selector thread, a pool of workers. */
  HSHA("hsha", Model.EVENT_LOOP),
  /** libthrift's TThreadedSelectorServer: an acceptor, selectors, a pool of workers. */
  THREADEDSELECTOR("threadedselector", Model.EVENT_LOOP),
  /** libthrift's TThreadPoolServer: a thread for each connection. */
  THREADPOOL("threadpool", Model.THREAD_PER_CONNECTION),
  /** The published disruptor server (com.thinkaurelius.thrift:thrift-server), a baseline. */
  XEDIN("xedin", Model.EVENT_LOOP),
  /** Ours: {@code TDisruptorServer}. */
  DISRUPTOR("disruptor", Model.EVENT_LOOP);

  /** How a server ties threads to connections. */
  public enum Model {
    /** A connection holds its thread until it is closed. */
    THREAD_PER_CONNECTION,
    /** Few threads watch all connections. */
    EVENT_LOOP
  }

  /**
   * Connections that may wait to be accepted by each server that is compared: a load opens a
   * thousand at once, and libthrift's own 50 would let some wait for a second SYN.
   */
  public static final int BACKLOG = 4096;

  private final String id;
  private final Model model;

  ServerType(String id, Model model) {
    this.id = id;
    this.model = model;
  }

  /** The name that users write. */
  public String id() {
    return id;
  }

  /** How this server ties threads to connections. */
  public Model model() {
    return model;
  }

  /**
   * The server of that name.
   *
   * @throws IllegalArgumentException with a line that lists the valid names
   */
  public static ServerType of(String id) {
    for (ServerType type : values()) {
      if (type.id.equals(id)) {
        return type;
      }
    }
    throw new IllegalArgumentException("unknown server type '" + id + "': use one of " + names());
  }

  /** All names, separated by comma and blank. */
  public static String names() {
    return Arrays.stream(values()).map(ServerType::id).collect(Collectors.joining(", "));
  }

  @Override
  public String toString() {
    return id;
  }
}
