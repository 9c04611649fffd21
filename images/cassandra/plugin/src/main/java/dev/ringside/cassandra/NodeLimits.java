package dev.ringside.cassandra;

import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.config.EncryptionOptions.ClientEncryptionOptions;

/** What cassandra.yaml says and TServerFactory.Args does not carry. */
final class NodeLimits {
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

  /** rpc_max_threads. */
  int maxWorkers() {
    return maxWorkers;
  }

  /** thrift_framed_transport_size_in_mb, in bytes. */
  int maxFrameBytes() {
    return maxFrameBytes;
  }

  ClientEncryptionOptions clientEncryption() {
    return clientEncryption;
  }
}
