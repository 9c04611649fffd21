package dev.ringside.trip.stream;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * Names the topic from which the server reads a client's points, instead of from the connection.
 *
 * @param brokers addresses of Kafka, as {@code host:port,host:port}
 * @param sender unique number of the client, which its points carry
 * @param fault why there is no topic; empty if there is
 */
public record Feed(String brokers, String topic, long sender, String fault) {
  /** Returns the answer of a server without a topic. */
  public static Feed none(String fault) {
    return new Feed("", "", 0, fault);
  }

  void write(DataOutputStream out) throws IOException {
    out.writeUTF(brokers);
    out.writeUTF(topic);
    out.writeLong(sender);
    out.writeUTF(fault);
    out.flush();
  }

  static Feed read(DataInputStream in) throws IOException {
    Feed feed = new Feed(in.readUTF(), in.readUTF(), in.readLong(), in.readUTF());
    if (!feed.fault.isEmpty()) {
      throw new StreamFaultException("the server takes no points from a topic: " + feed.fault);
    }
    return feed;
  }
}
