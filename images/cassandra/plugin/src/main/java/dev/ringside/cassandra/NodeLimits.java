package dev.ringside.cassandra;

import dev.ringside.server.ServerType;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.config.EncryptionOptions.ClientEncryptionOptions;

/** Settings of cassandra.yaml that TServerFactory.Args does not contain. */
final class NodeLimits {
  /** The node's value of rpc_max_threads if cassandra.yaml does not set it. */
  private static final int UNLIMITED = Integer.MAX_VALUE;

  /** The value that a comment in cassandra.yaml suggests. */
  private static final int SUGGESTED = 2048;

  /**
   * The published disruptor server starts all its workers at once, wakes all of them for every
   * request, and lets all of them spin when it stops. With {@link #SUGGESTED} workers nothing else
   * on the machine would run during that time.
   */
  private static final int SUGGESTED_FOR_XEDIN = 64;

  private final int minWorkers;
  private final int maxWorkers;
  private final int maxFrameBytes;
  private final ClientEncryptionOptions clientEncryption;

  NodeLimits(
      int minWorkers, int maxWorkers, int maxFrameBytes, ClientEncryptionOptions clientEncryption) {
    this.minWorkers = minWorkers;
    this.maxWorkers = maxWorkers;
    this.maxFrameBytes = maxFrameBytes;
    this.clientEncryption = clientEncryption;
  }

  /** Returns the settings of the running node. */
  static NodeLimits ofNode() {
    return new NodeLimits(
        DatabaseDescriptor.getRpcMinThreads(),
        DatabaseDescriptor.getRpcMaxThreads(),
        DatabaseDescriptor.getThriftFramedTransportSize(),
        DatabaseDescriptor.getClientEncryptionOptions());
  }

  /** Returns rpc_min_threads. */
  int minWorkers() {
    return minWorkers;
  }

  /**
   * Returns rpc_max_threads, or a reasonable value for that type of server if the node sets no
   * limit.
   */
  int maxWorkers(ServerType type) {
    if (maxWorkers < UNLIMITED) {
      return maxWorkers;
    }
    return type == ServerType.XEDIN ? SUGGESTED_FOR_XEDIN : SUGGESTED;
  }

  /** Returns thrift_framed_transport_size_in_mb, in bytes. */
  int maxFrameBytes() {
    return maxFrameBytes;
  }

  ClientEncryptionOptions clientEncryption() {
    return clientEncryption;
  }
}
