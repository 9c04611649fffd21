package dev.ringside.trip.stream;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * Where a server takes its points from, in place of the connection on which this is told.
 *
 * @param brokers Kafka's, as {@code host:port,host:port}
 * @param sender the client's number, which no other has: what it sends carries it
 * @param fault why there is no such place; empty if there is
 */
public record Feed(String brokers, String topic, long sender, String fault) {
  /** Of a server that has none. */
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
