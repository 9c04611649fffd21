package dev.ringside.cassandra.load;

import dev.ringside.load.Endpoint;
import org.apache.cassandra.thrift.Cassandra;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.transport.TFramedTransport;
import org.apache.thrift.transport.TSocket;
import org.apache.thrift.transport.TTransport;

/**
 * A Thrift connection to one node, with framed transport and binary protocol like those of
 * cassandra-stress. For one thread at a time.
 */
final class Connection implements AutoCloseable {
  private final TTransport transport;
  private final Cassandra.Client client;

  /**
   * Opens the connection.
   *
   * @param timeoutMillis timeout of the connection attempt and of each reply
   */
  Connection(Endpoint node, int timeoutMillis) throws TException {
    transport = new TFramedTransport(new TSocket(node.host(), node.port(), timeoutMillis));
    transport.open();
    client = new Cassandra.Client(new TBinaryProtocol(transport));
  }

  Cassandra.Client client() {
    return client;
  }

  @Override
  public void close() {
    transport.close();
  }
}
