package dev.ringside.cassandra;

import dev.ringside.server.ServerType;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.config.EncryptionOptions.ClientEncryptionOptions;

/** What cassandra.yaml says and TServerFactory.Args does not carry. */
final class NodeLimits {
  /** What the node has for rpc_max_threads where cassandra.yaml does not set it. */
  private static final int UNLIMITED = Integer.MAX_VALUE;

  /** What cassandra.yaml itself suggests, in the line that it has commented out. */
  private static final int SUGGESTED = 2048;

  /**
   * The published disruptor server starts all its workers at once, wakes all of them for every
   * request, and has all of them spin when it stops: with {@link #SUGGESTED} of them nothing else
   * on the machine moves meanwhile.
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

  /** Those of the running node. */
  static NodeLimits ofNode() {
    return new NodeLimits(
        DatabaseDescriptor.getRpcMinThreads(),
        DatabaseDescriptor.getRpcMaxThreads(),
        DatabaseDescriptor.getThriftFramedTransportSize(),
        DatabaseDescriptor.getClientEncryptionOptions());
  }

  /** rpc_min_threads. */
  int minWorkers() {
    return minWorkers;
  }

  /** rpc_max_threads, or what is sane for that server if the node sets no limit. */
  int maxWorkers(ServerType type) {
    if (maxWorkers < UNLIMITED) {
      return maxWorkers;
    }
    return type == ServerType.XEDIN ? SUGGESTED_FOR_XEDIN : SUGGESTED;
  }

  /** thrift_framed_transport_size_in_mb, in bytes. */
  int maxFrameBytes() {
    return maxFrameBytes;
  }

  ClientEncryptionOptions clientEncryption() {
    return clientEncryption;
  }
}
