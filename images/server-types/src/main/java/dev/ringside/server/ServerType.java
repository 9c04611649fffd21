package dev.ringside.server;

import java.util.Arrays;
import java.util.stream.Collectors;

/** The Thrift servers that Ringside compares. Their names are defined only here. */
public enum ServerType {
  /** libthrift's TSimpleServer: one connection at a time; for tests only. */
  SIMPLE("simple", Model.THREAD_PER_CONNECTION),
  /** libthrift's TNonblockingServer: one thread reads, executes and writes. */
  NONBLOCKING("nonblocking", Model.EVENT_LOOP),
  /** libthrift's THsHaServer: one selector thread and a pool of workers. */
  HSHA("hsha", Model.EVENT_LOOP),
  /** libthrift's TThreadedSelectorServer: an acceptor, selectors and a pool of workers. */
  THREADEDSELECTOR("threadedselector", Model.EVENT_LOOP),
  /** libthrift's TThreadPoolServer: a thread for each connection. */
  THREADPOOL("threadpool", Model.THREAD_PER_CONNECTION),
  /** The published disruptor server (com.thinkaurelius.thrift:thrift-server), a baseline. */
  XEDIN("xedin", Model.EVENT_LOOP),
  /** The server of this project, {@code TDisruptorServer}. */
  DISRUPTOR("disruptor", Model.EVENT_LOOP);

  /** How a server assigns threads to connections. */
  public enum Model {
    /** A connection occupies its thread until it is closed. */
    THREAD_PER_CONNECTION,
    /** A few threads watch all connections. */
    EVENT_LOOP
  }

  /**
   * The number of connections that may wait to be accepted, for every server. A load opens a
   * thousand at once; with libthrift's default of 50, some would wait until their SYN is sent
   * again.
   */
  public static final int BACKLOG = 4096;

  private final String id;
  private final Model model;

  ServerType(String id, Model model) {
    this.id = id;
    this.model = model;
  }

  /** Returns the name that users write. */
  public String id() {
    return id;
  }

  /** Returns how the server assigns threads to connections. */
  public Model model() {
    return model;
  }

  /**
   * Returns the server of that name.
   *
   * @throws IllegalArgumentException with a message of one line that lists the valid names
   */
  public static ServerType of(String id) {
    for (ServerType type : values()) {
      if (type.id.equals(id)) {
        return type;
      }
    }
    throw new IllegalArgumentException("unknown server type '" + id + "': use one of " + names());
  }

  /** Returns all names, separated by a comma and a space. */
  public static String names() {
    return Arrays.stream(values()).map(ServerType::id).collect(Collectors.joining(", "));
  }

  @Override
  public String toString() {
    return id;
  }
}
